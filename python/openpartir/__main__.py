"""``python -m openpartir COMMAND``."""

from __future__ import annotations

import argparse
import os
import sys


def main() -> int:
    """Return the exit status."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    from openpartir.dtensor import command as dtensor
    from openpartir.fuzz import command as fuzz

    parser = argparse.ArgumentParser(prog="python -m openpartir", description="Test partitioners.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, command, about in (
        ("fuzz", fuzz, "random programs against Shardy, GSPMD or OpenPartIR"),
        ("dtensor", dtensor, "op strategies of PyTorch's DTensor, proved or refuted"),
    ):
        sub = commands.add_parser(name, help=about)
        command.add_arguments(sub)
        sub.set_defaults(run=command.run)
    arguments = parser.parse_args()
    status: int = arguments.run(arguments)
    return status


if __name__ == "__main__":
    sys.exit(main())
