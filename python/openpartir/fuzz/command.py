"""Implements ``python -m openpartir fuzz``."""

from __future__ import annotations

import argparse
import json
import math
import pathlib
import shutil
import sys
import time
import traceback
from concurrent.futures import Executor

from openpartir.fuzz.campaign import Campaign, Options
from openpartir.fuzz.disk import GOES_ON, CampaignError, write_whole
from openpartir.fuzz.regress import regress
from openpartir.fuzz.report import as_json, markdown, summary
from openpartir.fuzz.targets import TARGETS
from openpartir.fuzz.tasks import Task
from openpartir.fuzz.workers import cluster, threads

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--target", choices=[*TARGETS, "jax-grad"], default="shardy", help="the partitioner under test")
    parser.add_argument("--seconds", type=float, default=60, help="how long (60)")
    parser.add_argument("--programs", type=int, help="at most this many programs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ops", default="", help="operations or families only, separated by commas")
    parser.add_argument("--jobs", type=int, help="programs at a time (1; on a cluster one a thread)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler, as tcp://host:8786")
    parser.add_argument("--out", type=pathlib.Path, help="folder of the campaign; one that is there goes on")
    parser.add_argument("--regress", type=pathlib.Path, metavar="DIR", help="run the findings kept in a folder again")
    parser.add_argument(
        "--python", default=sys.executable, help="with --regress: an interpreter that has another jaxlib"
    )


def run(a: argparse.Namespace) -> int:
    """Return the exit status: 1 if there are findings, otherwise 0."""
    if a.regress:
        if not a.regress.is_dir():
            print(f"--regress: {a.regress}: not a folder", file=sys.stderr)
            return 2
        if shutil.which(a.python) is None:
            print(f"--python {a.python}: no such program", file=sys.stderr)
            return 2
        states = regress(a.regress, a.python)
        if not states:
            print(f"--regress: {a.regress}: no findings there", file=sys.stderr)
            return 2
        for name, state in states.items():
            print(f"{state:7} {name}")
        print(", ".join(f"{list(states.values()).count(s)} {s}" for s in ("there", "mended", "broken")))
        return 1 if "there" in states.values() else 3 if "broken" in states.values() else 0
    if a.out is None:
        print("--out DIR is missing: where to keep findings", file=sys.stderr)
        return 2
    if (a.jobs is not None and a.jobs < 1) or (a.programs is not None and a.programs < 0):
        print("--jobs is at least 1, and --programs at least 0", file=sys.stderr)
        return 2
    if not 0 <= a.seconds < math.inf:
        print(f"--seconds {a.seconds}: wanted a number from 0", file=sys.stderr)
        return 2
    task = Task(a.target, a.seed, tuple(filter(None, a.ops.split(","))))
    try:
        task.program(0)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    try:
        with cluster(a.cluster) if a.cluster else threads(a.jobs or 1) as (executor, count):
            return _campaign(task, Options(a.out, a.seconds, a.programs, a.jobs or count), executor)
    except CampaignError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        goes_on = f"; {GOES_ON}" if (a.out / "journal.jsonl").exists() else ""
        print(f"{error.filename or a.out}: {error.strerror}{goes_on}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"interrupted; {GOES_ON}", file=sys.stderr)
        return 130
    except Exception:
        traceback.print_exc()
        print("a defect of ours; please report it with the command", file=sys.stderr)
        return 70


def _campaign(task: Task, options: Options, executor: Executor) -> int:
    campaign = Campaign(task, options, say=lambda line: print(line, flush=True))
    before, start = len(campaign.entries), time.monotonic()
    print(f"target {task.target}, seed {task.seed}, {options.jobs} jobs; {before} programs done before", flush=True)

    def progress() -> None:
        if sys.stderr.isatty():
            done, minutes = len(campaign.entries), (time.monotonic() - start) / 60
            rate = (done - before) / minutes if minutes else 0
            text = f"{done} programs, {rate:.0f} a minute, {len(campaign.store.known)} findings"
            print(f"\r{text} ", end="", file=sys.stderr, flush=True)

    campaign.run(executor, progress)
    write_whole(options.out / "report.json", json.dumps(as_json(campaign), indent=1) + "\n")
    write_whole(options.out / "report.md", markdown(campaign))
    print(summary(campaign))
    return 1 if campaign.store.known else 0
