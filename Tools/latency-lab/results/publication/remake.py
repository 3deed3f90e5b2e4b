"""Makes again what follows from an experiment's kept data: its documents, its table and the figures that are taken of it."""

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
# The pictures here, each with the experiment and the figure of its report that it shows.
FIGURES = {"percentiles.svg": ("loss-2-8-ours", "percentiles")}


class Remade:
    """What an experiment gives by the present rules: from its raw data where they are kept, else from its metrics."""

    def __init__(self, results, name):
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
            for picture, (experiment, figure) in FIGURES.items():
                if experiment == name:
                    self.files[picture] = run([sys.executable, os.path.join(HERE, "picture"),
                                               os.path.join(folder, "report.html"), figure])
            self.table = tables.table(name, json.loads(latency_lab("report", folder, "--json")))

    def write(self, results):
        for path, text in self.files.items():
            with open(os.path.join(results, path), "w", encoding="utf-8") as file:
                file.write(text)

    def differences(self, results):
        """The files and the table that are not as they would be made now."""
        found = [path for path, text in self.files.items() if text_of(os.path.join(results, path)) != text]
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
    readme = os.path.join(results, "README.md")
    head, _, rest = text_of(readme).partition(BEGIN)
    with open(readme, "w", encoding="utf-8") as file:
        file.write(head + BEGIN + "\n\n" + "\n".join(made) + "\n" + END + (rest.partition(END)[2] or "\n"))


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
