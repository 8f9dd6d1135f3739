#!/usr/bin/env python3
"""Checks that every premise of every law of the prover has a claim in tests/claims/premises.tmr that would be proved
without it.

Prints the premises without a claim and the claims without a premise, and fails if there are any. (`partir prove` on
that file checks that the claims are not proved.)
"""

import json
import re
import subprocess
import sys


def main():
    partir, claims = sys.argv[1:3]
    laws = json.loads(
        subprocess.run([partir, "prove", "--laws", "--json", "-"], check=True, capture_output=True).stdout
    )
    wanted = {f"{law['name']}--{premise}".replace("-", "_") for law in laws for premise in law["premises"]}
    without = [law["name"] for law in laws if not law["premises"]]
    with open(claims, encoding="utf-8") as file:
        text = file.read()
    given = {name: verdict for verdict, name in re.findall(r"// EXPECT: (\w+)[^\n]*\n(?:entry|rewrite) @(\w+)", text)}
    missing = sorted(wanted - set(given))
    stray = sorted(set(given) - wanted)
    proved = sorted(name for name, verdict in given.items() if verdict == "proved")
    for what, names in (
        ("premises without a claim", missing),
        ("claims of no premise", stray),
        ("expected to be proved", proved),
        ("laws without premises", without),
    ):
        if names:
            print(f"{what}: {', '.join(names)}")
    print(f"{len(laws)} laws, {len(wanted)} premises, {len(wanted) - len(missing)} with a claim")
    return 1 if missing or stray or proved or without else 0


if __name__ == "__main__":
    sys.exit(main())
