#!/usr/bin/env python3
"""Helpers of one library have different names: its sources are compiled together (ADR 40), where a call in one file
could silently mean the overload of another.

    helper_names.py SOURCE_DIR [FOLDER …]
"""
import collections
import pathlib
import re
import sys

LIBRARIES = ["support", "ir", "semantics", "rewrite", "lowering", "simulate", "verify", "driver", "tools"]
ANONYMOUS = re.compile(r"^namespace \{\n(.*?)^\}  // namespace\n", re.M | re.S)
FUNCTION = re.compile(r"^(?!return|else|using|typedef|namespace|static_assert)[A-Za-z_][\w:<>,&*\[\] ]*[ &*](\w+)\([^;]*?\)[^;{}]*\{", re.M)
TYPE = re.compile(r"^(?:struct|class|enum class|enum) (\w+)\b[^;(]*\{", re.M)
CONSTANT = re.compile(r"^(?:constexpr|const)\b[^;(={]*\b(\w+)(?:\[\w*\])*\s*[={]", re.M)


def helpers(text):
    for block in ANONYMOUS.findall(text):
        yield from FUNCTION.findall(block)
        yield from TYPE.findall(block)
        yield from CONSTANT.findall(block)


def main():
    root = pathlib.Path(sys.argv[1])
    wrong = 0
    for library in sys.argv[2:] or LIBRARIES:
        where = collections.defaultdict(set)
        for file in sorted((root / library).rglob("*.cpp")):
            for name in set(helpers(file.read_text())):
                where[name].add(str(file.relative_to(root)))
        for name, files in sorted(where.items()):
            if len(files) > 1:
                wrong += 1
                print(f"{name}: {', '.join(sorted(files))}")
    print(f"{wrong} names of helpers stand in more than one file of a library" if wrong else "all helpers have names of their own")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
