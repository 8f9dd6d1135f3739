"""``python -m openpartir fuzz``."""

from __future__ import annotations

import argparse
import pathlib
import sys

from openpartir.fuzz.campaign import Campaign, Options
from openpartir.fuzz.regress import regress
from openpartir.fuzz.targets import TARGETS

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    parser.add_argument("--target", choices=[*TARGETS, "jax-grad"], default="shardy", help="the partitioner under test")
    parser.add_argument("--seconds", type=float, default=60, help="how long (60)")
    parser.add_argument("--programs", type=int, help="at most this many programs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ops", default="", help="operations or families only, separated by commas")
    parser.add_argument("--jobs", type=int, default=1, help="child processes at a time (1)")
    parser.add_argument("--out", type=pathlib.Path, help="folder of the campaign; one that is there goes on")
    parser.add_argument("--regress", type=pathlib.Path, metavar="DIR", help="run the findings kept in a folder again")
    parser.add_argument(
        "--python", default=sys.executable, help="with --regress: an interpreter that has another jaxlib"
    )


def run(a: argparse.Namespace) -> int:
    """Return the exit status: 1 where there are findings, else 0."""
    if a.regress:
        if not a.regress.is_dir():
            print(f"--regress: {a.regress}: not a folder", file=sys.stderr)
            return 2
        states = regress(a.regress, a.python)
        for name, state in states.items():
            print(f"{state:7} {name}")
        print(", ".join(f"{list(states.values()).count(s)} {s}" for s in ("there", "mended", "broken")))
        return 1 if "there" in states.values() else 3 if "broken" in states.values() else 0
    if a.out is None:
        print("--out DIR is missing: where to keep findings", file=sys.stderr)
        return 2
    ops = tuple(filter(None, a.ops.split(",")))
    try:
        campaign = Campaign(
            Options(a.target, a.out, a.seconds, a.seed, ops, a.jobs, a.programs),
            say=lambda line: print(line, flush=True),
        )
        if not campaign.options.program(0).nodes:
            raise ValueError("no operations")
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"target {a.target}, seed {a.seed}, {a.jobs} jobs; {len(campaign.done)} programs done before", flush=True)
    campaign.run()
    print(campaign.summary())
    return 1 if campaign.store.known else 0
