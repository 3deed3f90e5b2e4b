#!/usr/bin/env python3
"""Names the types of two targets that have one name, in Swift sources that swift-format has formatted.

    python3 Tools/checks/type_names.py

Reads the files below Sources, Tests, Tools and Interop. A name belongs to one type, with two exceptions: what is internal
to a test target may be named like what is internal to a program or to another test target, and each program may have the
subcommand of another, such as `ServeCommand`.
"""

import collections
import pathlib
import re

TYPE = re.compile(
    r"(?:@\w+(?:\([^)]*\))?\s+)*(?P<access>public |package |internal |open )?(?:nonisolated |final |indirect )*"
    r"(?:struct|class|enum|actor|protocol|typealias) (?P<name>\w+)")


def target(path):
    """The folder of a file's target."""
    parts = path.parts
    if parts[0] == "Sources":
        return "/".join(parts[:3])
    if parts[:2] == ("Tools", "fuzz"):
        return "/".join(parts[:4])
    return "/".join(parts[:2])


def declarations():
    """For each name its declarations by target: the place, and whether other targets see it."""
    names = collections.defaultdict(dict)
    for root in ("Sources", "Tests", "Tools", "Interop"):
        for path in sorted(pathlib.Path(root).rglob("*.swift")):
            if any(part.startswith(".build") for part in path.parts) or any(
                    parent.is_symlink() for parent in path.parents) or path.is_symlink():
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if found := TYPE.match(line):
                    is_seen = (found["access"] or "").strip() in ("public", "package", "open")
                    names[found["name"]].setdefault(target(path), (f"{path}:{number}", is_seen))
    return names


def may_be_shared(name, places):
    """Whether these targets may each have a type of this name."""
    if any(is_seen or folder.startswith("Sources/") for folder, (_, is_seen) in places.items()):
        return False
    return sum(not folder.startswith("Tests/") for folder in places) < 2 or name.endswith("Command")


def main():
    for name, places in sorted(declarations().items()):
        if len(places) > 1 and not may_be_shared(name, places):
            print(f"{name}: {', '.join(place for place, _ in places.values())}")


if __name__ == "__main__":
    main()
