#!/usr/bin/env python3
"""Names the tests and checks that documents name and that do not exist.

    python3 Tools/checks/named_tests.py FILE…

A test is written as `SuiteTests/function`, a check as `Tools/name`.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def functions():
    """The functions of each suite, which has a file of its name."""
    found = {}
    for path in (ROOT / "Tests").rglob("*Tests.swift"):
        found.setdefault(path.stem, set()).update(re.findall(r"\bfunc (\w+)", path.read_text(encoding="utf-8")))
    return found


if __name__ == "__main__":
    known = functions()
    for name in sys.argv[1:]:
        for number, line in enumerate(pathlib.Path(name).read_text(encoding="utf-8").splitlines(), 1):
            for suite, function in re.findall(r"`(\w+Tests)/(\w+)`", line):
                if function not in known.get(suite, ()):
                    print(f"{name}:{number}: {suite}/{function}")
            for tool in re.findall(r"`(Tools/[\w-]+)`", line):
                if not (ROOT / tool).exists():
                    print(f"{name}:{number}: {tool}")
