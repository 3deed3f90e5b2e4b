"""Makes again what follows from an experiment's kept data: its documents, its table and the picture of several."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

from . import Refusal, raw, runs, tables

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "checks"))
import programs  # noqa: E402

BEGIN, END = "<!-- tables -->", "<!-- end of tables -->"
# The picture, and the experiments that are its rows.
PICTURE = "forest.svg"
ROWS = ["loss-1-1-ours", "loss-2-1-ours", "loss-5-1-ours", "loss-1-8-ours", "loss-2-8-ours", "loss-5-8-ours",
        "loss-2-1-caddy", "loss-2-8-caddy"]


class Remade:
    """What an experiment gives by the present rules: from its raw data where they are kept, else from its metrics."""

    def __init__(self, results, name):
        self.name = name
        kept = os.path.join(results, name)
        source = os.path.join(kept, "raw")
        self.files = {}
        with tempfile.TemporaryDirectory(prefix="agent-stream-") as folder:
            if os.path.isdir(source):
                raw.unpack(source, folder)
            else:
                shutil.copyfile(os.path.join(kept, "results.json"), os.path.join(folder, "results.json"))
            latency_lab("report", folder)
            if os.path.isdir(source):
                found = small(raw.read_json(os.path.join(folder, "results.json")))
                self.files[os.path.join(name, "results.json")] = raw.compact(found) + "\n"
                self.files[os.path.join(name, "runs.csv")] = runs.table(source, found)
            self.files[os.path.join(name, "report.md")] = text_of(os.path.join(folder, "report.md"))
            self.page = text_of(os.path.join(folder, "report.html"))
            self.table = tables.table(name, json.loads(latency_lab("report", folder, "--json")))

    def write(self, results):
        for path, text in self.files.items():
            with open(os.path.join(results, path), "w", encoding="utf-8") as file:
                file.write(text)

    def differences(self, results):
        """The files and the table that are not as they would be made now."""
        found = [path for path, text in self.files.items() if text_of(os.path.join(results, path)) != text]
        if self.name in ROWS and picture(results) != text_of(os.path.join(results, PICTURE)):
            found.append(PICTURE)
        shown = text_of(os.path.join(results, "README.md"))
        return found if self.table in shown else [*found, "its table in README.md"]


def small(found):
    """Results without the drawn run of each arm, which `latency-lab report` draws from the raw data."""
    found["plots"]["timelines"] = []
    raw.hide_paths(found["header"]["provenance"])
    return found


def all_tables(results):
    """Makes everything again: the experiments' files, the pictures, and the tables of README.md."""
    made = []
    for name in sorted(os.listdir(results)):
        if os.path.exists(os.path.join(results, name, "results.json")):
            remade = Remade(results, name)
            remade.write(results)
            made.append(remade.table)
        path = os.path.join(results, name, "grid.json")
        if os.path.exists(path):
            made.append(tables.grid(name, raw.read_json(path)))
    drawn = picture(results)
    if drawn:
        with open(os.path.join(results, PICTURE), "w", encoding="utf-8") as file:
            file.write(drawn)
    readme = os.path.join(results, "README.md")
    head, _, rest = text_of(readme).partition(BEGIN)
    with open(readme, "w", encoding="utf-8") as file:
        file.write(head + BEGIN + "\n\n" + "\n".join(made) + "\n" + END + (rest.partition(END)[2] or "\n"))


def picture(results):
    """The picture of those of its experiments that are kept here; nothing where there are none."""
    kept = [os.path.join(results, name) for name in ROWS if os.path.exists(os.path.join(results, name, "results.json"))]
    if not kept:
        return ""
    with tempfile.TemporaryDirectory(prefix="agent-stream-") as folder:
        drawn = os.path.join(folder, PICTURE)
        latency_lab("forest", *kept, "--out", drawn)
        return text_of(drawn)


def text_of(path):
    """The file's text; nothing where there is no such file."""
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def latency_lab(*arguments):
    return run([programs.program("latency-lab"), *arguments])


def run(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Refusal("%s: %s" % (" ".join(command), done.stderr.strip() or "exit status %d" % done.returncode))
    return done.stdout
