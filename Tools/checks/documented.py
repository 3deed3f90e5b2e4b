#!/usr/bin/env python3
"""Names the public symbols without a documentation comment in Swift sources that swift-format has formatted.

    python3 Tools/checks/documented.py [--count] FOLDER…

Cases of a public enum and members of a public protocol count as well. A member that satisfies a protocol needs no
comment of its own: the protocol's documentation describes it. With --count: the number of all public symbols of each
folder, documented or not.
"""

import pathlib
import re
import sys

MODIFIERS = r"\s*(?:(?:@\w+(?:\([^)]*\))?|nonisolated|isolated|static|mutating|indirect|final|override|convenience)\s+)*"
PUBLIC = re.compile(MODIFIERS + r"(public\s+(?!import\b|extension\b)|open (class|func|var)\b)")
CONTAINER = re.compile(MODIFIERS + r"public\s+(?:indirect\s+)?(enum|protocol)\b.*\{$")
MEMBER = {
    "enum": re.compile(r"\s*(indirect )?case\b"),
    "protocol": re.compile(MODIFIERS + r"(var|func|init|subscript|associatedtype)\b"),
}
WITNESSES = [re.compile(pattern) for pattern in (
    # The standard library's protocols, and Foundation's LocalizedError.
    r"var (description|debugDescription|errorDescription): String\?? \{", r"var id: \w+ \{", r"(let|var) rawValue\b",
    r"init\?? ?\((from decoder|rawValue|\w+Literal( \w+)?):", r"func (encode\(to|hash\(into|makeAsyncIterator\(|next\()",
    r"static func (==|<) \(", r"typealias (Element|Failure|AsyncIterator) =", r"struct \w*Iterator: AsyncIteratorProtocol\b",
    # HTTPTransport and AnyResolveKitFunction of this package.
    r"let origin: Origin$", r"func (connect|close|snapshot)\(\) async\b", r"func send\(_ request: HTTPRequest, body:",
    r"static var resolveKit\w+: [\w?]+ \{", r"static func invoke\($",
)]


def public(lines):
    """The numbers, from 0 on, and texts of the lines that declare a public symbol."""
    containers = []
    for at, line in enumerate(lines):
        text, indent = line.strip(), len(line) - len(line.lstrip())
        while text and containers and indent <= containers[-1][0]:
            containers.pop()
        is_member = containers and indent == containers[-1][0] + 2 and MEMBER[containers[-1][1]].match(line)
        if container := CONTAINER.match(line):
            containers.append((indent, container[1]))
        if (is_member or PUBLIC.match(line)) and not any(witness.search(text) for witness in WITNESSES):
            yield at, text


def undocumented(lines):
    """The numbers and texts of the lines that declare a public symbol below no documentation comment."""
    for at, text in public(lines):
        above = at - 1
        while above >= 0 and re.match(r"\s*(@|//(?!/)|#)", lines[above]):
            above -= 1
        if above < 0 or not lines[above].lstrip().startswith("///"):
            yield at + 1, text


if __name__ == "__main__":
    counts = "--count" in sys.argv
    for folder in sys.argv[1:]:
        if folder == "--count":
            continue
        files = [(path, path.read_text(encoding="utf-8").splitlines())
                 for path in sorted(pathlib.Path(folder).rglob("*.swift"))]
        if counts:
            print(f"{folder}: {sum(len(list(public(lines))) for _, lines in files)}")
            continue
        for path, lines in files:
            for number, text in undocumented(lines):
                print(f"{path}:{number}: {text}")
