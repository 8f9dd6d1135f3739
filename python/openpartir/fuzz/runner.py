"""Child processes that may die or hang, with time limits."""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
from typing import IO, Any

from openpartir.fuzz.program import Program

__all__ = ["Runner"]

# A child is replaced after this many programs: compiled programs stay in its memory.
PROGRAMS_A_CHILD = 150
STARTUP_SECONDS = 60
SECONDS = {"reference": 30, "partition": 40, "execute": 40, "validate": 60, "interpret": 60}


class _Child:
    def __init__(self) -> None:
        environment = {
            **os.environ,
            "JAX_PLATFORMS": "cpu",
            "XLA_FLAGS": "--xla_force_host_platform_device_count=8",
            "TF_CPP_MIN_LOG_LEVEL": "2",
        }
        self.errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            [sys.executable, "-m", "openpartir.fuzz.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            env=environment,
        )
        self.served = 0
        self.lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def last_words(self) -> str:
        """Return what it said before it died: the line of a failed check, else the end of its messages."""
        self.errors.seek(0)
        text = self.errors.read().decode(errors="replace")
        checks = re.findall(r"^F\d.*|^.*[Cc]heck failed.*|^.*Assertion .* failed.*|^.*LLVM ERROR.*", text, re.MULTILINE)
        return (checks[-1] if checks else text[-600:]).strip()

    def end(self) -> None:
        """End the process and wait for it."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.errors):
            if stream:
                stream.close()


class Runner:
    """Asks one child process at a time, and starts another where it died or took too long."""

    def __init__(self, validate_seconds: float = 10) -> None:
        """Validation gets at most these seconds."""
        self._child: _Child | None = None
        self._seconds = validate_seconds

    def examine(self, program: Program, target: str, validate: bool = True, **options: Any) -> dict[str, Any]:
        """Return the worker's facts; of a child that died ``{"died": stage, "message": …}``, or ``{"hung": stage}``."""
        request = {"program": json.loads(program.to_json()), "target": target, "validate": validate}
        line = json.dumps({**request, "seconds": self._seconds, **options})
        if self._child is None or self._child.served >= PROGRAMS_A_CHILD:
            self.close()
            self._child = _Child()
        child, stage, limit = self._child, "start", float(STARTUP_SECONDS)
        assert child.process.stdin
        try:
            child.process.stdin.write(line + "\n")
            child.process.stdin.flush()
        except BrokenPipeError:
            pass  # said below, with its last words
        child.served += 1
        while True:
            try:
                answer = child.lines.get(timeout=limit)
            except queue.Empty:
                self.close()
                return {"hung": stage, "limit": limit}
            if answer is None:
                child.process.wait()
                facts = {"died": stage, "status": child.process.returncode, "message": child.last_words()}
                self.close()
                if stage == "start":
                    raise RuntimeError(f"the child process does not start: {facts['message']}")
                return facts
            said = json.loads(answer)
            if "facts" in said:
                return dict(said["facts"])
            stage, limit = said["stage"], float(SECONDS[said["stage"]])

    def close(self) -> None:
        """End the child."""
        if self._child:
            self._child.end()
            self._child = None
