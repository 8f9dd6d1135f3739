"""Writes a campaign's files such that a kill or a full disk leaves each file in its old state or complete."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pathlib
import shutil
from collections.abc import Mapping
from typing import Any

__all__ = ["GOES_ON", "CampaignError", "Journal", "remove_folder", "write_folder", "write_whole"]


GOES_ON = "the same command goes on from there"


class CampaignError(Exception):
    """Raised if a campaign cannot go on: no room, no child process, or another campaign in its folder."""


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _sync(folder: pathlib.Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_synced(path: pathlib.Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        _write_all(descriptor, text.encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_whole(path: pathlib.Path, text: str) -> None:
    """Write a file, which keeps its old content until the new content is complete. On OSError nothing has changed."""
    new = path.with_name(f".new-{path.name}")
    try:
        _write_synced(new, text)
        os.replace(new, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(new)
        raise
    _sync(path.parent)


def write_folder(path: pathlib.Path, files: Mapping[str, str]) -> None:
    """Write a new folder, which exists with all of its files or not at all. On OSError nothing has changed."""
    new = path.with_name(f".new-{path.name}")
    try:
        os.mkdir(new)
        for name, text in files.items():
            _write_synced(new / name, text)
        os.rename(new, path)
    except OSError:
        shutil.rmtree(new, ignore_errors=True)
        raise
    _sync(path.parent)


def remove_folder(path: pathlib.Path) -> None:
    """Remove a folder; it disappears at once, although its files are unlinked one by one."""
    old = path.with_name(f".old-{path.name}")
    os.rename(path, old)
    shutil.rmtree(old)


class Journal:
    """A file with one JSON object per line, to which only one process at a time appends."""

    def __init__(self, path: pathlib.Path) -> None:
        """Read the file, except for a last line that a kill left incomplete.

        Raises CampaignError if another process writes.
        """
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._descriptor)
            raise CampaignError(f"{path.parent}: another campaign is running there") from error
        text = path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if len(whole) < len(text):
            os.ftruncate(self._descriptor, len(whole))
        self.entries: list[dict[str, Any]] = []
        for number, line in enumerate(whole.splitlines()):
            try:
                self.entries.append(json.loads(line))
                assert self.entries[-1]["number"] == number
            except (ValueError, TypeError, KeyError, AssertionError) as error:
                self.close()
                wanted = f"the entry of program {number}"
                raise CampaignError(f"{path}:{number + 1}: found {line[:60]!r}; wanted {wanted}") from error

    def append(self, entry: dict[str, Any]) -> None:
        """Append a line. On OSError the file is unchanged."""
        before = os.fstat(self._descriptor).st_size
        try:
            _write_all(self._descriptor, json.dumps(entry).encode() + b"\n")
            os.fsync(self._descriptor)
        except OSError:
            os.ftruncate(self._descriptor, before)
            raise
        self.entries.append(entry)

    def close(self) -> None:
        """Release the file for other processes."""
        os.close(self._descriptor)
