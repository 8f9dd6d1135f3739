"""Runs requests in child processes that may die or hang, with time limits."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import IO, Any

from openpartir.fuzz.disk import GOES_ON, CampaignError
from openpartir.fuzz.program import Program

__all__ = ["Runner"]

# A child is replaced after this many programs, because compiled programs stay in its memory.
PROGRAMS_A_CHILD = 150
STARTUP_SECONDS = 60
WORKER = [sys.executable, "-m", "openpartir.fuzz.worker"]
SECONDS = {"reference": 30, "partition": 40, "compile": 40, "execute": 40, "validate": 60, "interpret": 60, "rules": 60}
# How often a request is repeated if the system kills its child, usually because memory runs out.
RETRIES = 3


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
            WORKER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            env=environment,
        )
        self.served = 0
        self._said_before = 0
        self.lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send(self, line: str) -> None:
        """Send a request; that a child is dead is noticed when it does not answer."""
        if self.served:  # output during its start belongs to the first request
            self._said_before = os.fstat(self.errors.fileno()).st_size
        self.served += 1
        assert self.process.stdin
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def last_words(self) -> str:
        """Return its last output for this request before it died: a failed check, otherwise the end of its messages."""
        self.errors.seek(self._said_before)
        text = self.errors.read().decode(errors="replace")
        checks = re.findall(r"^F\d.*|^.*[Cc]heck failed.*|^.*Assertion .* failed.*|^.*LLVM ERROR.*", text, re.MULTILINE)
        return (checks[-1] if checks else text[-600:]).strip()

    def end(self) -> None:
        """End the process and wait for it."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.errors):
            if stream:
                with contextlib.suppress(BrokenPipeError):  # data that was not sent
                    stream.close()


def _temporary_files() -> None:
    """Raise CampaignError if temporary files cannot be written: partitioners then fail with various messages."""
    try:
        with tempfile.TemporaryFile() as probe:
            probe.write(bytes(1 << 20))
            probe.flush()
    except OSError as error:
        raise CampaignError(
            f"no room for temporary files in {tempfile.gettempdir()}: {error.strerror}; {GOES_ON}"
        ) from error


class Runner:
    """Asks one child process at a time, and starts another if it dies or takes too long."""

    def __init__(self, validate_seconds: float = 10) -> None:
        """Limit each validation to this time."""
        self._child: _Child | None = None
        self._seconds = validate_seconds
        self._ended = False

    def examine(self, program: Program, target: str, validate: bool = True, **options: Any) -> dict[str, Any]:
        """Return the worker's facts.

        For a child that died they are ``{"died": stage, "message": …}``, for one that took too long
        ``{"hung": stage}``, and for one that the system killed in every attempt ``{"killed": stage}``. Raises
        CampaignError if no child starts, or temporary files cannot be written.
        """
        request = {"program": json.loads(program.to_json()), "target": target, "validate": validate}
        line = json.dumps({**request, "seconds": self._seconds, **options})
        for attempt in range(RETRIES + 1):
            time.sleep(attempt)  # the process that needs the memory may end
            facts = self._answer(line)
            if facts.get("status") != -signal.SIGKILL:
                break
        else:
            return {"killed": facts["died"], "times": RETRIES + 1}
        if facts.get("died") == "start":
            raise CampaignError(f"the child process does not start: {facts['message']}")
        if {"died", "rejected", "failed"} & set(facts) or facts.get("validation", {}).get("verdict") == "unsupported":
            _temporary_files()
        return facts

    def _answer(self, line: str) -> dict[str, Any]:
        if self._ended:
            raise CampaignError(f"interrupted; {GOES_ON}")
        if self._child is None or self._child.served >= PROGRAMS_A_CHILD:
            self.close()
            self._child = _Child()
        child, stage, limit = self._child, "start", float(STARTUP_SECONDS)
        known: dict[str, Any] = {}
        child.send(line)
        while True:
            try:
                answer = child.lines.get(timeout=limit)
            except queue.Empty:
                self.close()
                return {"hung": stage, "limit": limit}
            if answer is None:
                child.process.wait()
                facts = {**known, "died": stage, "status": child.process.returncode, "message": child.last_words()}
                self.close()
                return facts
            said = json.loads(answer)
            if "facts" in said:
                return dict(said["facts"])
            stage = said.pop("stage")
            known, limit = said, float(SECONDS[stage])

    def stop(self) -> None:
        """End the child from another thread; callers that wait for it, or ask again, get CampaignError."""
        self._ended = True
        child = self._child
        if child:
            child.process.kill()

    def close(self) -> None:
        """End the child."""
        if self._child:
            self._child.end()
            self._child = None
