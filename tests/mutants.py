#!/usr/bin/env python3
"""Breaks the product in one place at a time; the tests must notice every break (docs/mutants.md).

The sources are copied to a folder where each place in tests/mutant_table.py becomes a choice at run time: one build
contains all mutants, and PARTIR_MUTANT=<number> chooses one. First the tests must pass with none chosen. Then they run
for each mutant, those most likely to fail first, until one fails. A mutant on which no test fails has SURVIVED, and the
exit status is 1. It is 2 if the table is stale: a text does not occur in its file exactly once, or its choice would not
be valid C++.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HEADER = """// Written by tests/mutants.py.
#pragma once

#include <cstdlib>
#include <type_traits>
#include <utility>

namespace partir {
/// Whether PARTIR_MUTANT names this place.
inline bool mutant(unsigned long number) {
  static const char* const text = std::getenv("PARTIR_MUTANT");
  static const unsigned long chosen = text != nullptr ? std::strtoul(text, nullptr, 10) : 0;
  return number == chosen;
}
/// A choice between expressions. It must have the type that the first had: with another it means something else even
/// where no mutant is chosen (of an optional and a bool it is an optional, which is true whatever it holds).
template <class Before, class T>
T as_before(T&& value) {
  using Was = std::remove_cvref_t<Before>;
  using Is = std::remove_cvref_t<T>;
  static_assert(std::is_same_v<Was, Is> || (std::is_arithmetic_v<Was> && std::is_arithmetic_v<Is>));
  return std::forward<T>(value);
}
}  // namespace partir
"""

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mutant_table import GROUPS  # noqa: E402

Mutant = collections.namedtuple("Mutant", "name group file sites number")


STATEMENT = re.compile(r"(if|for|while|return|case|default|break|continue|const|auto)\b|(bool|int|std::[\w:<>]+) \w+ =")
LITERAL = re.compile(r"'(\\.|[^'\\])'|\"(\\.|[^\"\\])*\"")
PARTNER = {")": "(", "]": "[", "}": "{"}


class Stale(Exception):
    pass


def balanced(text):
    open_ = []
    for c in LITERAL.sub("", text):
        if c in "([{":
            open_.append(c)
        elif c in PARTNER and (not open_ or open_.pop() != PARTNER[c]):
            return False
    return not open_


def no_choice(old, new):
    """Returns why a choice between the two would not be valid C++ (see `chosen`), or an empty string."""
    if "$M" in new:
        return ""
    if old.startswith("if (") and old.endswith(")"):
        return "a condition by a statement" if STATEMENT.match(new) or new.endswith(";") else ""
    if not balanced(old) or not balanced(new):
        return "brackets that are open"
    if re.search(r"[?:&|+*/<=!-]$", old) or re.search(r"[?:&|+*/<=!-]$", new):
        return "an operator without its operand"
    if old.endswith(";"):
        declares = re.match(r"(const|auto|bool|int|case|default)\b|std::[\w:<>]+ \w+ =", old)
        return "a declaration or label, which ends with its block" if declares else ""
    if re.match(r"\[[&=\w, ]*\]\s*\(", old):
        return "a lambda, of which no other has the type"
    return (
        "a statement inside an expression" if STATEMENT.match(old) or STATEMENT.match(new) or new.endswith(";") else ""
    )


# How tightly operators bind, from the loosest.
LEVELS = [("||",), ("&&",), ("==", "!=", "<=", ">=", " < ", " > "), (" + ", " - "), (" * ", " / ", " % ")]


def level(text):
    """Returns the level of the loosest operator outside of brackets, len(LEVELS) if there is none."""
    depth = 0
    outer = ""
    for c in text:
        depth -= c in ")]}"
        outer += c if depth == 0 else " "
        depth += c in "([{"
    return next((k for k, of in enumerate(LEVELS) if any(o in outer for o in of)), len(LEVELS))


def torn(text, begin, old):
    """Whether an operator beside `old`, which becomes one operand, binds tighter than one inside it."""
    if old.startswith("if (") or old.endswith(";"):
        return False
    before = text[max(0, begin - 4) : begin].split("\n")[-1]
    after = text[begin + len(old) : begin + len(old) + 4].split("\n")[0]
    sides = [
        k
        for k, of in enumerate(LEVELS)
        for o in of
        if before.rstrip().endswith(o.strip()) or after.lstrip().startswith(o.strip())
    ]
    return any(k > level(old) for k in sides)


def mutants():
    """Returns the mutants of the table with their numbers, which stay when other mutants are added or removed."""
    out = []
    seen = {}
    for group, files in GROUPS:
        for file, rows in files:
            for name, *texts in rows:
                number = zlib.crc32(name.encode()) or 1
                if number in seen:
                    raise Stale(f"{name} and {seen[number]} have one number: rename one")
                seen[number] = name
                sites = list(zip(texts[0::2], texts[1::2], strict=True))
                out.append(Mutant(name, group, file, sites, number))
    return out


def chosen(old, choices):
    """Returns text that chooses between `old` and what the chosen mutant makes of it."""
    (number, new), *more = choices
    here = f"::partir::mutant({number}UL)"
    if "$M" in new:
        if more:
            raise Stale(f"'{old}' is changed by several mutants, one of them with $M")
        return new.replace("$M", here)
    if old.startswith("if (") and old.endswith(")"):
        as_bool = [(n, f"static_cast<bool>({new})") for n, new in choices]
        return f"if ({chosen_value(f'static_cast<bool>{old[3:]}', as_bool)})"
    if old.endswith(";"):
        rest = old if not more else chosen(old, more)
        return f"if ({here}) {{ {new} }} else {{ {rest} }}"
    return f"(::partir::as_before<decltype(({old}))>({chosen_value(old, choices)}))"


def chosen_value(old, choices):
    out = f"({old})"
    for number, new in reversed(choices):
        out = f"::partir::mutant({number}UL) ? ({new}) : {out}"
    return out


def mutated(file, text, list_):
    """Returns the text of a file with all of its mutants."""
    places = collections.OrderedDict()
    for m in list_:
        for old, new in m.sites:
            if why := no_choice(old, new):
                raise Stale(f"{m.name}: {why}: {old}")
            count = text.count(old)
            if count != 1:
                raise Stale(f"{m.name}: its text is {count} times in {file}, wanted once: {old}")
            if "$M" not in new and torn(text, text.index(old), old):
                raise Stale(f"{m.name}: an operator beside its text binds tighter: {old}")
            places.setdefault((text.index(old), old), []).append((m.number, new))
    out = []
    at = 0
    for (begin, old), choices in sorted(places.items()):
        if begin < at:
            raise Stale(f"{file}: places that overlap: {old}")
        out += [text[at:begin], chosen(old, choices)]
        at = begin + len(old)
    out.append(text[at:])
    return '#include "support/mutant.h"\n#line 1\n' + "".join(out)


def write_if_new(path, data):
    if os.path.exists(path):
        with open(path, "rb") as f:
            if f.read() == data:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def tops(folder):
    """Returns the top-level entries of a source tree, without builds and hidden files."""
    return [os.path.join(folder, e) for e in os.listdir(folder) if not e.startswith((".", "build"))]


def sources():
    """Returns the files that a build reads: path and content."""
    out = {}
    for top in tops(ROOT):
        found = (
            [top]
            if os.path.isfile(top)
            else [os.path.join(d, f) for d, _, files in os.walk(top) if "__pycache__" not in d for f in files]
        )
        for path in found:
            with open(path, "rb") as f:
                out[os.path.relpath(path, ROOT)] = f.read()
    return out


def with_mutants(files, list_):
    by_file = collections.OrderedDict()
    for m in list_:
        by_file.setdefault(m.file, []).append(m)
    out = dict(files)
    problems = []
    for file, of_file in by_file.items():
        if file not in files:
            problems.append(f"{of_file[0].name}: no file {file}")
            continue
        text = files[file].decode()
        try:
            out[file] = mutated(file, text, of_file).encode()
        except Stale:
            for m in of_file:  # reports all problems, not only the first
                try:
                    mutated(file, text, [m])
                except Stale as alone:
                    problems.append(str(alone))
            try:
                mutated(file, text, [m for m in of_file if all(text.count(old) == 1 for old, _ in m.sites)])
            except Stale as together:
                problems.append(str(together))
    if problems:
        raise Stale("\n".join(problems))
    out["support/mutant.h"] = HEADER.encode()
    return out


def make(folder, files, jobs, targets):
    """Writes the copy, removes files that are no longer sources, and builds it."""
    for path, data in files.items():
        write_if_new(os.path.join(folder, path), data)
    for top in tops(folder):
        for d, _, names in os.walk(top):
            for name in names:
                path = os.path.relpath(os.path.join(d, name), folder)
                if path not in files and "__pycache__" not in path:
                    os.remove(os.path.join(folder, path))
    build = os.path.join(folder, "build")
    if not os.path.exists(os.path.join(build, "build.ninja")):
        configure = [
            "cmake",
            "-S",
            folder,
            "-B",
            build,
            "-G",
            "Ninja",
            "-DCMAKE_BUILD_TYPE=Release",
            "-DPARTIR_BENCHMARKS=OFF",
        ]
        if shutil.which("ccache"):
            configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", build, "-j", str(jobs), "--target", *targets, "--", "-k", "0"], check=True)


# The tests by name, with the seconds of processor time that each may take. Random tests run fewer cases than in the
# test suite, from a fixed seed, and do not shrink what they find.
TESTS = collections.OrderedDict(
    [
        ("prove_test", 60),
        ("rules_test", 60),
        ("rewrite_test", 60),
        ("lowering_test", 60),
        ("golden_test", 60),
        ("certificate_test", 240),
        ("claims", 240),
        ("registry", 240),
        ("semantics_test", 120),
        ("programs_test", 120),
        ("registry_test", 240),
        ("property_test", 240),
        ("laws_test", 240),
        ("ir_test", 120),
        ("validate_test", 240),
        ("validate_traps", 240),
        ("command_line_test", 240),
    ]
)
RANDOM = "max_size=100 noshrink=1 seed=7"
FIRST = [
    ("verify/prove/second_answer", ["prove_test", "claims"]),
    ("verify/prove/instance", ["certificate_test", "property_test"]),
    ("verify/prove", ["prove_test", "claims", "registry", "certificate_test"]),
    ("verify/rules", ["rules_test", "command_line_test"]),
    ("verify/certificate", ["certificate_test", "property_test"]),
    ("verify/validate", ["validate_traps", "validate_test", "command_line_test"]),
    ("lowering", ["lowering_test", "golden_test", "certificate_test", "property_test"]),
    ("rewrite", ["rewrite_test", "lowering_test", "golden_test", "property_test"]),
    ("semantics", ["semantics_test", "programs_test", "laws_test"]),
    ("ir/ops", ["programs_test", "registry_test", "registry", "claims"]),
    ("ir/sharding", ["validate_test", "command_line_test"]),
    ("ir/declared_calls", ["prove_test", "command_line_test"]),
    ("ir/layout", ["ir_test", "lowering_test", "certificate_test"]),
    ("ir", ["semantics_test", "lowering_test", "golden_test", "registry"]),
]


def command(test, folder):
    program = os.path.join(folder, "build", "partir")
    if test == "claims":
        return [
            program,
            "prove",
            "--solver",
            "both",
            "--replay",
            *sorted(glob.glob(os.path.join(folder, "tests/claims/*.tmr"))),
        ]
    if test == "registry":
        return [program, "registry", "--replay"]
    if test == "validate_traps":
        tests = os.path.join(folder, "tests", "verify", "validate")
        return [sys.executable, os.path.join(tests, "traps_test.py"), program, os.path.join(tests, "traps")]
    return [os.path.join(folder, "build", "tests", test), "--gtest_fail_fast", "--gtest_brief=1"]


def run(test, folder, number):
    """Nothing when the test passes, else how it ends."""
    cases = 2000 if test == "prove_test" else 300
    env = dict(os.environ, RC_PARAMS=f"max_success={cases} {RANDOM}", PARTIR_NO_XLA="1")
    env.pop("PARTIR_MUTANT", None)
    if number:
        env["PARTIR_MUTANT"] = str(number)

    def limited():  # processor time, so that a busy machine does not count as a caught mutant
        resource.setrlimit(resource.RLIMIT_CPU, (TESTS[test], TESTS[test] + 1))

    try:
        done = subprocess.run(
            command(test, folder),
            env=env,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=20 * TESTS[test],
            preexec_fn=limited,
        )
    except subprocess.TimeoutExpired:
        return "out of time"
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "out of time"
    return "" if done.returncode == 0 else f"exit {done.returncode}"


def order(file):
    first = next((tests for prefix, tests in FIRST if file.startswith(prefix)), [])
    return first + [t for t in TESTS if t not in first]


def judged(m, folder):
    start = time.monotonic()
    for test in order(m.file):
        how = run(test, folder, m.number)
        if how:
            return m, test, how, time.monotonic() - start
    return m, None, "", time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--only",
        action="append",
        metavar="NAME",
        help="mutants of these names (globs), of this group, or whose file is this",
    )
    parser.add_argument("--list", action="store_true", help="print the table and stop")
    parser.add_argument("--check", action="store_true", help="look for texts that are stale and stop")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--folder", default=os.path.join(ROOT, "build-mutants"), help="where the copy is made and built"
    )
    args = parser.parse_args()
    try:
        all_ = mutants()
        files = with_mutants(sources(), all_)
    except Stale as stale:
        print(f"the table of mutants is stale:\n{stale}", file=sys.stderr)
        return 2
    picked = [
        m for m in all_ if not args.only or any(fnmatch.fnmatch(m.name, o) or o in (m.group, m.file) for o in args.only)
    ]
    if args.list:
        for m in picked:
            print(f"{m.group:<12} {m.name:<40} {m.file}")
            for old, new in m.sites:
                print(f"    {old}\n    -> {new.replace('$M', '<mutant>')}")
    if args.list or args.check:
        print(f"{len(picked)} mutants, {len(all_)} in the table")
        return 0
    make(args.folder, files, args.jobs, ["partir"] + [t for t in TESTS if t.endswith("_test")])
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        whole = list(pool.map(lambda t: (t, *timed(t, args.folder)), TESTS))
        for test, how, seconds in whole:
            print(f"without a mutant: {test:<20} {how or 'passes'} ({seconds:.1f} s)")
        if any(how for _, how, _ in whole):
            print("the tests must pass without a mutant", file=sys.stderr)
            return 1
        print(f"\n{'mutant':<40} {'caught by':<20} {'how':<12} seconds")
        survivors = []
        counts = collections.OrderedDict()
        for m, test, how, seconds in pool.map(lambda m: judged(m, args.folder), picked):
            print(f"{m.name:<40} {test or 'SURVIVED':<20} {how:<12} {seconds:.1f}", flush=True)
            caught, of = counts.get(m.group, (0, 0))
            counts[m.group] = (caught + (test is not None), of + 1)
            if test is None:
                survivors.append(m)
    print()
    for group, (caught, of) in counts.items():
        print(f"{group}: {caught} of {of} caught")
    print(f"{len(picked) - len(survivors)} of {len(picked)} mutants caught")
    for m in survivors:
        print(f"SURVIVED {m.name} in {m.file}")
    return 1 if survivors else 0


def timed(test, folder):
    start = time.monotonic()
    return run(test, folder, 0), time.monotonic() - start


if __name__ == "__main__":
    sys.exit(main())
