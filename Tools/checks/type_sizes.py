#!/usr/bin/env python3
"""Counts the stored properties, the lines and the files of types, in Swift sources that swift-format has formatted.

    python3 Tools/checks/type_sizes.py [TYPE…]

Without names: the types of Sources that have more than 20 stored properties, more than 900 lines or more than 6 files,
which Tools/check refuses. Passed over are values that only hold what others set or count (`…Configuration`, `…Metrics`).
With names: a row of a table for each. A type's files are those that are named for it, such as `Type.swift` and
`Type+Part.swift`; private properties are counted beside all.
"""

import pathlib
import re
import sys

MAXIMUM = (20, 900, 6)
PASSED_OVER = re.compile(r"(Configuration|Metrics)$")
DECLARATION = re.compile(
    r"(?:@\w+(?:\([^)]*\))?\s+)*(?:public |package |open )?(?:nonisolated |final |indirect )*"
    r"(?:struct|class|actor) (?P<name>\w+)\b")
PROPERTY = re.compile(
    r"  (?:@\w+(?:\([^)]*\))? )*(?P<modifiers>(?:\w+(?:\(\w+\))? )*?)(?:let|var) (?P<rest>.*)$")


def properties(lines, start):
    """The stored properties of the type that is declared at a line: all, and those that are private altogether."""
    count = hidden = 0
    for at in range(start + 1, len(lines)):
        line = lines[at]
        if line.startswith("}"):
            break
        found = PROPERTY.match(line)
        if not found or "static" in found["modifiers"].split() or is_computed(lines, at):
            continue
        # A pattern such as `let (a, b)` does not occur; `var a, b: Int` does.
        names = len(re.match(r"[^:={]*", found["rest"])[0].split(","))
        count += names
        hidden += names if re.search(r"\bprivate (?!\()|\bprivate$|\bfileprivate ", found["modifiers"]) else 0
    return count, hidden


def is_computed(lines, at):
    """Whether the property at a line has a getter: a brace without a value before it, and no observers behind it."""
    line = lines[at]
    brace = line.find("{")
    if brace < 0 or "=" in line[:brace]:
        return False
    following = line[brace + 1:].strip() or (lines[at + 1].strip() if at + 1 < len(lines) else "")
    return not following.startswith(("didSet", "willSet"))


def types(root="Sources"):
    """For each type of the sources: its stored properties, those that are private, its lines and its files."""
    found = {}
    paths = [path for path in sorted(pathlib.Path(root).rglob("*.swift")) if not path.is_symlink()]
    for path in paths:
        lines = path.read_text(encoding="utf-8").splitlines()
        for at, line in enumerate(lines):
            declared = DECLARATION.match(line)
            if declared and path.stem == declared["name"]:
                own = [other for other in path.parent.parent.rglob("*.swift")
                       if other.stem == path.stem or other.stem.startswith(path.stem + "+")]
                size = sum(len(other.read_text(encoding="utf-8").splitlines()) for other in own)
                found[path.stem] = (*properties(lines, at), size, len(own))
    return found


def main():
    names = [name for name in sys.argv[1:] if not name.startswith("-")]
    sizes = types()
    if not names:
        for name, (count, _, lines, files) in sorted(sizes.items()):
            if (count, lines, files) != tuple(map(min, (count, lines, files), MAXIMUM)) and not PASSED_OVER.search(name):
                print(f"{name}: {count} stored properties, {lines} lines, {files} files")
    for name in names:
        count, hidden, lines, files = sizes[name]
        print(f"| `{name}` | {count} | {hidden} | {lines} | {files} |")


if __name__ == "__main__":
    main()
