#!/usr/bin/env python3
"""Names the dependencies that point up from one layer's target to a higher layer's.

Reads `swift package dump-package` from standard input. The folders under Sources are the layers; programs and tests
belong to none.
"""
import json
import sys

ORDER = ["Wire", "Streams", "Session", "Servers", "Lab", "Codex"]


def layer(target):
    """The place of a target's layer in the order; None for what is not under Sources."""
    parts = (target.get("path") or "").split("/")
    return ORDER.index(parts[1]) if parts[0] == "Sources" and len(parts) > 1 else None


def main():
    targets = {target["name"]: target for target in json.load(sys.stdin)["targets"]}
    for target in targets.values():
        own = layer(target)
        if own is None:
            continue
        for dependency in target["dependencies"]:
            name = next((dependency[kind][0] for kind in ("byName", "target") if kind in dependency), None)
            other = layer(targets[name]) if name in targets else None
            if other is not None and other > own:
                print(f"{target['name']} ({ORDER[own]}) depends on {name} ({ORDER[other]})")


if __name__ == "__main__":
    main()
