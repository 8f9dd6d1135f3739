"""Runs campaigns with made-up outcomes and interrupts each at another one of its writes; prints what the test checks.

usage: campaign_faults.py kill|full|limit FOLDER [--every N]

It runs by itself because it forks, which a process in which JAX has started threads cannot do.
"""

import argparse
import builtins
import errno
import io
import itertools
import os
import pathlib
import resource
import shutil
import signal
import sys
import time
import traceback

from openpartir.fuzz import command
from openpartir.fuzz.campaign import Campaign, Options
from openpartir.fuzz.findings import Candidate
from openpartir.fuzz.oracle import Outcome
from openpartir.fuzz.program import Argument, Node, Program
from openpartir.fuzz.tasks import Examined, Task
from openpartir.fuzz.workers import threads

WRITES = ("open", "write", "fsync", "replace", "rename", "mkdir", "ftruncate", "unlink", "rmdir")
PROGRAMS = 18


def program(*features):
    nodes = [
        Node(f"v{i}", "reduce", ("x0",), {"axes": [0], "monoid": m, "init": n}) for i, (m, n) in enumerate(features)
    ]
    return Program((("a", 2),), (Argument("x0", (4,), "float32"),), tuple(nodes), ("v0",), (None,))


PLAIN, MONOID, INIT = ("add", "identity"), ("max", "identity"), ("add", "3")
# The failing programs: as found, as shrunk, and whether the script confirms the failure. The third one explains the
# second; the last one is explained by the third before it is shrunk; 9 and 10 are the same.
FAILING = {
    2: (program(MONOID, INIT), program(MONOID, INIT), True),
    4: (program(("max", "3")), program(("max", "3")), True),
    7: (program(("max", "3"), PLAIN), program(MONOID), True),
    9: (program(INIT, PLAIN), program(INIT), False),
    10: (program(INIT, PLAIN), program(INIT), False),
    12: (program(INIT), program(INIT), True),
    14: (program(MONOID), program(MONOID), True),
}


class MadeUp(Task):
    def program(self, number):
        return FAILING.get(number, (program(PLAIN),))[0]

    def examined(self, number):
        kind = "miscompilation" if number in FAILING else "right"
        rule = {"operation": f"op{number // 5}", "rule": "r", "factor": "i", "verdict": "proved", "reason": ""}
        return Examined(self.program(number), Outcome(kind, "why", "", {"rules": [rule]}), {"all": 1.0})

    def candidate(self, examined):
        small, confirmed = next((s, c) for p, s, c in FAILING.values() if p == examined.program)
        return Candidate(small, examined.outcome, "shardy", {}, {"repro.py": "1"}, confirmed, "", 3)


class Slow(MadeUp):
    """Ends its tasks in another order than the one in which they start."""

    def examined(self, number):
        time.sleep(0.01 * (number * 7 % 5))
        return super().examined(number)

    def candidate(self, examined):
        time.sleep(0.01 * (len(str(examined.program)) % 7))
        return super().candidate(examined)


def campaign(out, jobs=1, slow=False):
    with threads(jobs) as (executor, count):
        one = Campaign((Slow if slow else MadeUp)("shardy"), Options(out, 1e9, PROGRAMS, count))
        one.run(executor)
        one.journal.close()


def state(out):
    return {str(p.relative_to(out)): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()}


def faulty(fault):
    """Replaces each call that changes files by `fault(name, call, arguments)`."""
    os.fsync = lambda _: None  # slow, and a kill would not show its effect
    for name in WRITES:
        call = getattr(os, name)

        def instead(*a, name=name, call=call, **k):
            return fault(name, call, a, k)

        setattr(os, name, instead)
    opened = io.open

    def reading(file, mode="r", *a, **k):
        assert not set(mode) & set("wax+"), f"{file} is written, but not by openpartir.fuzz.disk"
        return opened(file, mode, *a, **k)

    io.open = builtins.open = reading


def half(a):
    return a[0], a[1][: len(a[1]) // 2]


def killed_at(step):
    count = [0]

    def fault(name, call, a, k):
        count[0] += 1
        if count[0] == step:
            if name == "write":
                call(*half(a))
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*a, **k)

    return fault


def full_from(step):
    count = [0]

    def fault(name, call, a, k):
        count[0] += 1
        grows = name in ("write", "mkdir") or (name == "open" and a[1] & os.O_CREAT and not os.path.exists(a[0]))
        if count[0] >= step and grows:
            if name == "write" and count[0] == step:
                call(*half(a))
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(a[0]))
        return call(*a, **k)

    return fault


def in_child(work):
    """Returns the exit status of a forked process that does the work; 9 means that it was killed."""
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        status = 99
        try:
            status = work() or 0
        except OSError as error:
            status = 50 if error.errno == errno.ENOSPC else 98
        except BaseException:
            traceback.print_exc()
        os._exit(status)
    _, status = os.waitpid(pid, 0)
    return signal.SIGKILL if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def with_fault(fault, out):
    def work():
        faulty(fault)
        campaign(out)

    return work


def every_step(make, interrupted, folder, stride):
    assert in_child(lambda: campaign(folder / "reference")) == 0
    wanted = state(folder / "reference")
    for moments in itertools.count():
        step = 1 + moments * stride
        out = folder / f"{step}"
        status = in_child(with_fault(make(step), out))
        assert status in (0, interrupted), (step, status)
        if status == 50:  # no half-written file may remain, even before the campaign is continued
            left = [p for p in state(out) if "/.new-" in f"/{p}"]
            journal = out / "journal.jsonl"
            assert not left, (step, left)
            assert not journal.exists() or journal.read_bytes()[-1:] in (b"", b"\n"), step
        assert in_child(lambda out=out: campaign(out)) == 0, step
        assert state(out) == wanted, (step, set(state(out)) ^ set(wanted))
        shutil.rmtree(out)
        if status == 0:
            break
    print(f"{moments} moments; {sorted(p.name for p in (folder / 'reference' / 'findings').iterdir())}")


def limited(folder):
    """Runs the command under a limit on file sizes that the journal reaches."""
    command.Task = MadeUp

    def run(out, limit):
        def work():
            if limit:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
            arguments = argparse.ArgumentParser()
            command.add_arguments(arguments)
            return command.run(arguments.parse_args(["--out", str(out), "--programs", str(PROGRAMS)]))

        return in_child(work)

    out = folder / "limited"
    print("limited:", run(out, 2000), file=sys.stderr)
    assert (out / "journal.jsonl").read_bytes()[-1:] == b"\n"
    assert not [p for p in state(out) if ".new-" in p]
    assert run(out, None) == 1 and run(folder / "reference", None) == 1
    assert state(out) == state(folder / "reference")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mode", choices=["kill", "full", "limit"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    asked = parser.parse_args()
    if asked.mode == "limit":
        limited(asked.folder)
    else:
        fault = {"kill": (killed_at, signal.SIGKILL), "full": (full_from, 50)}[asked.mode]
        every_step(*fault, asked.folder, asked.every)
