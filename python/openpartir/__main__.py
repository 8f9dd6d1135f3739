"""``python -m openpartir COMMAND``."""

from __future__ import annotations

import argparse
import os
import sys


def main() -> int:
    """Return the exit status."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    from openpartir.fuzz import command as fuzz

    parser = argparse.ArgumentParser(prog="python -m openpartir", description="Test partitioners.")
    commands = parser.add_subparsers(dest="command", required=True)
    fuzz.add_arguments(commands.add_parser("fuzz", help="random programs against Shardy, GSPMD or OpenPartIR"))
    arguments = parser.parse_args()
    return fuzz.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
