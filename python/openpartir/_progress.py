"""Shows a line on the terminal while a long operation runs."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator

__all__ = ["progress"]


@contextlib.contextmanager
def progress(what: str, after: float = 1.0) -> Iterator[None]:
    """Show `what` and the seconds on standard error, where that is a terminal, once `after` seconds have passed."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    start = time.monotonic()

    def show() -> None:
        if done.wait(after):
            return
        while True:
            sys.stderr.write(f"\r{what} … {time.monotonic() - start:.0f} s")
            sys.stderr.flush()
            if done.wait(0.5):
                break
        sys.stderr.write("\r\033[K")
        sys.stderr.flush()

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
