"""Checks that the Swift examples of documents are code that is compiled.

    python3 Tools/checks/examples.py DOCUMENT…

Every block of Swift stands below a comment `<!-- example: FILE -->`, and its lines, but for imports, are in FILE one after the
other, at any indentation. Prints each document and line of a block for which that does not hold.
"""

import os
import re
import sys
import textwrap

MARK = re.compile(r"<!-- example: (\S+) -->\s*$")


def code(lines):
    """The lines without imports and common indentation, and without blank lines around them."""
    kept = [line.rstrip() for line in lines if not line.startswith("import ")]
    return textwrap.dedent("\n".join(kept)).strip("\n")


def contains(path, wanted):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    count = wanted.count("\n") + 1
    first = wanted.split("\n")[0]
    return any(lines[at].strip() == first and code(lines[at:at + count]) == wanted for at in range(len(lines)))


def breaches(document):
    with open(document, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for at, line in enumerate(lines):
        if line != "```swift":
            continue
        mark = MARK.match(lines[at - 1]) if at else None
        end = lines.index("```", at)
        wanted = code(lines[at + 1:end])
        if not mark:
            yield "%s:%d: no comment says which file has the example" % (document, at + 1)
        elif not os.path.isfile(mark[1]):
            yield "%s:%d: there is no %s" % (document, at + 1, mark[1])
        elif not wanted or not contains(mark[1], wanted):
            yield "%s:%d: the example is not in %s" % (document, at + 1, mark[1])


if __name__ == "__main__":
    for name in sys.argv[1:]:
        for breach in breaches(name):
            print(breach)
