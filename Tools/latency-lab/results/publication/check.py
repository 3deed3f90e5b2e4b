"""Compares what is published of an experiment with what its raw data give, computed without the lab's program."""

import csv
import math
import os
import shutil
import statistics
import subprocess
import sys

from . import raw, remake

sys.path.insert(0, remake.HERE)
import load  # noqa: E402

QUANTILES = {"excessP50": 0.5, "excessP95": 0.95, "excessP99": 0.99}
# The lab's histogram has three significant digits and whole microseconds.
RELATIVE, ABSOLUTE = 0.001, 0.0011


def problems(results, name):
    """What is not as it should be, in sentences."""
    found = ["%s is not what the data give now; run Tools/latency-lab/results/keep." % path
             for path in remake.Remade(results, name).differences(results)]
    if os.path.isdir(os.path.join(results, name, "raw")):
        published = raw.read_json(os.path.join(results, name, "results.json"))
        measured = Measured(results, name)
        found += measured.of_runs(published) + measured.of_pairs(published) + measured.by_r()
    return found


class Measured:
    """The quantiles of each run, from its events and packets."""

    def __init__(self, results, name):
        self.results, self.name = results, name
        self.waits, self.discarded, self.lateness = {}, {}, {}
        for event in load.events(name, results):
            key = event["arm"], event["repetition"]
            self.waits.setdefault(key, []).append(max(0, event["waited_ms"]))
            self.discarded[key] = event["discarded"]
        last = None
        for packet in load.packets(name, results):
            key = packet["arm"], packet["repetition"]
            # A duplicate follows its original.
            if packet["transport"] != "other" and last != (key, packet["number"]):
                last = key, packet["number"]
                if packet["verdict"] == "delivered" and None not in (packet["left_ns"], packet["due_ns"]):
                    self.lateness.setdefault(key, []).append((packet["left_ns"] - packet["due_ns"]) / 1e6)
        for values in [*self.waits.values(), *self.lateness.values()]:
            values.sort()

    def quantile(self, key, metric):
        """Of the run's events."""
        return nearest_rank(QUANTILES[metric], self.waits[key])

    def of_runs(self, published):
        found, kept = [], set()
        for arm in published["arms"]:
            for run in arm["runs"]:
                key = arm["name"], run["repetition"]
                kept.add(key)
                if len(self.waits.get(key, [])) != run["events"]:
                    found.append("%s: %s has not %d events." % (self.name, words(key), run["events"]))
                    continue
                for metric in (name for name in QUANTILES if name in run["values"]):
                    own, theirs = self.quantile(key, metric), run["values"][metric]
                    if not is_near(own, theirs):
                        found.append("%s: %s of %s is %.4f ms by its events, and %.4f ms in results.json." % (
                            self.name, metric, words(key), own, theirs))
                late = run["values"].get("linkLatenessP99")
                if late is not None and abs(nearest_rank(0.99, self.lateness[key]) - late) > 1e-6:
                    found.append("%s: the link of %s was not %.6f ms late at p99 by its packets." % (self.name, words(key), late))
        if kept != {key for key, reason in self.discarded.items() if reason is None}:
            found.append("%s: results.json and runs.csv keep different runs." % self.name)
        return found

    def of_pairs(self, published):
        """The medians of paired differences, where the deadline cut off no run."""
        found = []
        for comparison in published["comparisons"]:
            pairs, metric = comparison["differences"], comparison["metric"]
            if metric not in QUANTILES or "median" not in comparison or any(pair["certainty"] != "exact" for pair in pairs):
                continue
            arms = comparison["baseline"], comparison["arm"]
            values = [[self.quantile((arm, pair["repetition"]), metric) for arm in arms] for pair in pairs]
            own = statistics.median(baseline - value for baseline, value in values)
            # Each of the two is rounded.
            if abs(own - comparison["median"]) > max(map(sum, values)) * RELATIVE + 2 * ABSOLUTE:
                found.append("%s: %s of %s is %.3f ms lower than %s's by the events, and %.3f ms in results.json." % (
                    self.name, metric, arms[1], own, arms[0], comparison["median"]))
        return found

    def by_r(self):
        """The same tables through load.R."""
        program = shutil.which("Rscript")
        if program is None:
            print("  load.R: skipped: there is no Rscript here (Debian: r-base-core)", flush=True)
            return []
        done = subprocess.run([program, "--vanilla", os.path.join(remake.HERE, "publication", "quantiles.R"), remake.HERE,
                               self.name, self.results], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return ["load.R: %s" % done.stderr.strip()]
        seen = {}
        for arm, repetition, *values in csv.reader(done.stdout.splitlines()):
            seen[arm, int(repetition)] = [int(values[0]), *map(float, values[1:])]
        expected = {key: [len(waits), *(self.quantile(key, metric) for metric in QUANTILES),
                          nearest_rank(0.99, self.lateness[key])] for key, waits in self.waits.items()}
        is_same = seen.keys() == expected.keys() and all(
            abs(a - b) < 1e-6 for key, values in expected.items() for a, b in zip(values, seen[key]))
        return [] if is_same else ["%s: load.R and load.py read different tables." % self.name]


def nearest_rank(share, values):
    """The value that a share of the values, which are in rising order, does not exceed."""
    return values[math.ceil(share * len(values) - 1e-9) - 1]


def is_near(own, theirs):
    return abs(own - theirs) <= RELATIVE * own + ABSOLUTE


def words(key):
    return "run %d of %s" % (key[1], key[0])
