"""Archives of what is too large for the repository: one file, whose sum the kept folder has, with the sum of each file in it."""

import hashlib
import io
import json
import lzma
import os
import tarfile

from . import Refusal, raw

NAME, MANIFEST = "archive.json", "MANIFEST.sha256"
PIECE = 1 << 20


def write(path, members):
    """Writes a .tar.xz of files, by their names in it. The same files give the same bytes.

    Answers with what archive.json says of it.
    """
    names = sorted(members)
    manifest = "".join("%s  %s\n" % (sum_of(members[name]), name) for name in names).encode()
    with lzma.open(path, "xb", preset=6) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(entry(MANIFEST, len(manifest)), io.BytesIO(manifest))
        for name in names:
            with open(members[name], "rb") as file:
                archive.addfile(entry(name, os.path.getsize(members[name])), file)
    return {"file": os.path.basename(path), "bytes": os.path.getsize(path), "sha256": sum_of(path)}


def entry(name, size):
    """Without time and owner."""
    found = tarfile.TarInfo(name)
    found.size, found.mode = size, 0o644
    return found


def sum_of(path):
    with open(path, "rb") as file:
        return sum_of_stream(file)


def sum_of_stream(file):
    found = hashlib.sha256()
    while piece := file.read(PIECE):
        found.update(piece)
    return found.hexdigest()


def note(facts, folder):
    with open(os.path.join(folder, NAME), "w", encoding="utf-8") as file:
        json.dump(facts, file, indent=1)
        file.write("\n")


def verify(path, results):
    """Compares an archive with what the kept folders say of it, and each file in it with its manifest.

    Answers with the names of the experiments that it holds.
    """
    file = os.path.basename(path)
    named = {}
    for name in sorted(os.listdir(results)):
        noted = os.path.join(results, name, NAME)
        if os.path.exists(noted):
            facts = raw.read_json(noted)
            if facts["file"] == file:
                named[name] = facts
    if not named:
        raise Refusal("No experiment in %s names the archive %s." % (results, file))
    size, digest = os.path.getsize(path), sum_of(path)
    for name, facts in named.items():
        if (facts["bytes"], facts["sha256"]) != (size, digest):
            raise Refusal("%s has %d bytes and the SHA-256 sum %s; %s/%s says %d and %s." % (
                path, size, digest, name, NAME, facts["bytes"], facts["sha256"]))
    held = compare(path)
    missing = [name for name in named if name not in held]
    if missing:
        raise Refusal("%s does not hold %s." % (path, ", ".join(missing)))
    return sorted(named)


def compare(path):
    """Compares each file in an archive with its manifest; answers with the folders that it holds."""
    with lzma.open(path, "rb") as packed, tarfile.open(fileobj=packed, mode="r|") as archive:
        first = archive.next()
        if first is None or first.name != MANIFEST:
            raise Refusal("%s does not begin with %s." % (path, MANIFEST))
        expected = dict(reversed(line.split("  ", 1)) for line in archive.extractfile(first).read().decode().splitlines())
        held = set()
        while (member := archive.next()) is not None:
            content = archive.extractfile(member)
            if content is None or sum_of_stream(content) != expected.pop(member.name, None):
                raise Refusal("%s: %s is not as the manifest has it." % (path, member.name))
            held.add(member.name.split("/")[0])
    if expected:
        raise Refusal("%s: the manifest names %s, which is not there." % (path, sorted(expected)[0]))
    return held
