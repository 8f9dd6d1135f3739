#!/usr/bin/env python3
"""Runs the commands of README.md and docs/ as they are written, and compares their output with what the page shows.

usage: docs_test.py BUILD SOURCE [PAGE…]

In an indented block, "    $ COMMAND" (continued by a backslash) is run from the repository's root, in a copy in which
only the files that commands write are new. The lines below it show its output: they must appear in this order, "…"
matches anything, and times are not compared. A command must exit with 0 unless "# exit N" follows it. A command on a
program that is not in the repository (it comes from ./run corpus) is reported as skipped if the program is missing.
Examples in ```json are schedules: each must be the content of a file in examples/schedules, or be read by the commands
around it.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

RUNS = ("build/partir", "cat ", "python3 ")


def blocks(text):
    """Yields (line number, command, lines of its output)."""
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        if not lines[i].startswith("    $ "):
            i += 1
            continue
        start, command = i + 1, lines[i][6:]
        while command.endswith("\\"):
            i += 1
            command = command[:-1] + lines[i].strip()
        i += 1
        printed = []
        while (
            i < len(lines)
            and (lines[i].startswith("    ") or not lines[i].strip())
            and not lines[i].startswith("    $ ")
        ):
            printed.append(lines[i][4:].rstrip())
            i += 1
        while printed and not printed[-1]:
            printed.pop()
        yield start, command, printed


def pattern(line):
    """Returns a line of a page as a regular expression. Times and "…" match anything, a run of blanks any blanks."""
    out = re.escape(re.sub(r"\s+", " ", line.strip()))
    out = out.replace("…", ".*").replace(r"\ ", r"\s*")
    return re.compile(re.sub(r"\d+(\\\.\d+)?(\\s\*)?(ms|µs|s)\b", r"[0-9.]+\\s*(ms|µs|s)", out))


def missing(printed, output):
    """Returns the first line of a page that does not occur in the output in order, or None."""
    rest = iter(output.split("\n"))
    for line in printed:
        if line.strip() in ("", "…"):
            continue
        wanted = pattern(line)
        if not any(wanted.search(re.sub(r"\s+", " ", got)) for got in rest):
            return line
    return None


def absent(command, source):
    """Returns a file of the command that is not in the repository (build/corpus, ../…) and is missing, or None."""
    for word in command.split():
        if re.match(r"(build/corpus/|\.\./)", word) and not (source / word).exists():
            return word
    return None


def unlisted_decisions(source):
    """Returns the decisions whose row is not in docs/adr/README.md."""
    index = (source / "docs/adr/README.md").read_text()
    out = []
    for page in sorted(source.glob("docs/adr/0*.md")):
        number, title = page.read_text().split("\n", 1)[0].removeprefix("# ").split(". ", 1)
        if f"| {number} | [{title}]({page.name}) |" not in index:
            out.append(page.name)
    return out


def main():
    build, source = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
    pages = [pathlib.Path(p) for p in sys.argv[3:]] or [
        source / "README.md",
        *sorted(p for p in source.glob("docs/**/*.md") if "adr" not in p.parts),
    ]
    schedules = [json.loads(p.read_text()) for p in source.glob("examples/schedules/*.json")]
    ran = failed = skipped = 0
    for name in unlisted_decisions(source):
        print(f"FAIL docs/adr/README.md: {name} is not listed with its title")
        failed += 1
    with tempfile.TemporaryDirectory() as scratch:
        for entry in source.iterdir():
            if entry.name not in (".git",) and not entry.name.startswith("build"):
                os.symlink(entry, os.path.join(scratch, entry.name))
        os.mkdir(os.path.join(scratch, "build"))
        os.symlink(build / "partir", os.path.join(scratch, "build", "partir"))
        if (source / "build" / "corpus").exists():
            os.symlink(source / "build" / "corpus", os.path.join(scratch, "build", "corpus"))
        for page in pages:
            text = page.read_text()
            name = page.relative_to(source) if page.is_relative_to(source) else page
            for number, command, printed in blocks(text):
                where = f"{name}:{number}"
                if not command.startswith(RUNS):
                    print(f"FAIL {where}: a command that this test does not run: {command}")
                    failed += 1
                    continue
                if lost := absent(command, source):
                    print(f"skipped {where}: {lost} is not there")
                    skipped += 1
                    continue
                status = int(m.group(1)) if (m := re.search(r"#\s*exit (\d+)", command)) else 0
                done = subprocess.run(
                    command, shell=True, cwd=scratch, capture_output=True, text=True, executable="/bin/bash"
                )
                output = done.stdout + done.stderr
                if done.returncode == 77:  # the status of tests that lack something
                    print(f"skipped {where}: {output.strip()}")
                    skipped += 1
                    continue
                line = missing(printed, output)
                ran += 1
                if done.returncode != status or line is not None:
                    failed += 1
                    why = (
                        f"exit {done.returncode}, wanted {status}"
                        if done.returncode != status
                        else f"not printed: {line}"
                    )
                    print(
                        f"FAIL {where}: {why}\n  $ {command}\n" + "\n".join("  " + x for x in output.split("\n")[-40:])
                    )
            for block in re.findall(r"```json\n(.*?)```", text, re.S):
                try:
                    value = json.loads(block)
                except ValueError:
                    continue  # an excerpt
                if "tactics" in value and "cookbook" in page.parts and value not in schedules:
                    failed += 1
                    print(f"FAIL {name}: a schedule that no file of examples/schedules is:\n{block}")
        verbs = set(re.findall(r"^  ([a-z]+(?: \| [a-z]+)*)\)", (source / "run").read_text(), re.M))
        known = {v for group in verbs for v in group.split(" | ")} | {"tidy"}
        for page in pages:
            for verb in re.findall(r"\./run ([a-z]+)", page.read_text()):
                if verb not in known:
                    failed += 1
                    print(f"FAIL {page}: ./run {verb}, which ./run does not know")
    print(f"{ran} commands of {len(pages)} pages ran, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
