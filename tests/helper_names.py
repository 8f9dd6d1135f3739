#!/usr/bin/env python3
"""Checks that the helpers of one library have different names, and types different qualified names in the whole tree.

The sources of a library are compiled together (ADR 40), where a call in one file could silently mean an overload in
another. Two types with one name in one program are undefined behaviour, which no compiler reports: each may call the
other's constructor.

    helper_names.py SOURCE_DIR [FOLDER …]
"""

import collections
import pathlib
import re
import sys

LIBRARIES = ["support", "ir", "semantics", "rewrite", "lowering", "simulate", "verify", "driver", "search", "tools"]
ANONYMOUS = re.compile(r"^namespace \{\n(.*?)^\}  // namespace\n", re.M | re.S)
FUNCTION = re.compile(
    r"^(?!return|else|using|typedef|namespace|static_assert)[A-Za-z_][\w:<>,&*\[\] ]*[ &*](\w+)\([^;]*?\)[^;{}]*\{",
    re.M,
)
TYPE = re.compile(r"^(?:struct|class|enum class|enum) (\w+)\b(?!::)[^;(]*\{", re.M)
NAMESPACE = re.compile(r"^namespace(?: ([\w:]+))? \{")
ALIAS = re.compile(r"^using (\w+) = ([^;]+);", re.M)
SHARED = ("nlohmann::json", "nlohmann::ordered_json")  # aliases that may be repeated
CONSTANT = re.compile(r"^(?:constexpr|const)\b[^;(={]*\b(\w+)(?:\[\w*\])*\s*[={]", re.M)


def helpers(text):
    for block in ANONYMOUS.findall(text):
        yield from (name for name, what in ALIAS.findall(block) if what not in SHARED)
        yield from FUNCTION.findall(block)
        yield from TYPE.findall(block)
        yield from CONSTANT.findall(block)


def types(text):
    """Returns the qualified names of the types that a file defines in named namespaces."""
    scopes = []
    for line in text.splitlines():
        if opened := NAMESPACE.match(line):
            scopes.append(opened[1])
        elif line.startswith("}  // namespace") and scopes:
            scopes.pop()
        elif (defined := TYPE.match(line)) and None not in scopes:
            yield "::".join([*scopes, defined[1]])


def defined_twice(root):
    where = collections.defaultdict(list)
    for folder in [*LIBRARIES, "python", "tests"]:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in (".h", ".cpp"):
                for name in types(file.read_text()):
                    where[name].append(str(file.relative_to(root)))
    return {name: files for name, files in where.items() if len(files) > 1}


def enclosing(namespace):
    """Returns the namespace and those that enclose it."""
    parts = namespace.split("::")
    return ["::".join(parts[:n]) for n in range(1, len(parts) + 1)]


def main():
    root = pathlib.Path(sys.argv[1])
    wrong = 0
    declared = {
        name for library in LIBRARIES for file in (root / library).rglob("*.h") for name in types(file.read_text())
    }
    for name, files in sorted(defined_twice(root).items()):
        wrong += 1
        print(f"{name}: defined in {', '.join(files)}")
    for library in sys.argv[2:] or LIBRARIES:
        where = collections.defaultdict(set)
        for file in sorted((root / library).rglob("*.cpp")):
            text = file.read_text()
            namespace = re.search(r"^namespace ([\w:]+) \{", text, re.M)
            for name in set(helpers(text)):
                where[name].add(str(file.relative_to(root)))
                # A helper must not hide a type that headers declare in an enclosing namespace from the files compiled
                # after it.
                if namespace and any(f"{scope}::{name}" in declared for scope in enclosing(namespace[1])):
                    where[name].add("a header")
        for name, files in sorted(where.items()):
            if len(files) > 1:
                wrong += 1
                print(f"{name}: {', '.join(sorted(files))}")
    print(f"{wrong} names stand in more than one place" if wrong else "all helpers and types have names of their own")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
