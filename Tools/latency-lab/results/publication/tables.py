"""The tables of README.md, from results as the program judges them."""

import math
import statistics

METRICS = [("excessP50", "p50", 1), ("excessP95", "p95", 1), ("excessP99", "p99", 1), ("excessMax", "max", 1),
           ("stalls200", "stalls > 200 ms", 0), ("reconnectGap", "longest gap", 0), ("lostEvents", "never came", 0),
           ("firstEventCold", "first event, cold", 0), ("downloadTime", "download, s", 2)]
QUANTILES = {"excessP50": 0.5, "excessP95": 0.95, "excessP99": 0.99}


def is_lower_bound(run, metric):
    """Whether the run's value counts events that never came, which are taken as on their way until the deadline."""
    missing = run["values"].get("lostEvents", 0)
    if missing == 0:
        return False
    if metric in QUANTILES:
        return math.ceil(QUANTILES[metric] * run["events"] - 1e-9) > run["events"] - missing
    return metric in ("excessMax", "reconnectGap", "downloadTime")


def marked(values, bounds, digits):
    """The median; of runs that the deadline cut off how many there are, and whether the median is a lower bound."""
    median = statistics.median(values)
    text = "%.*f" % (digits, median)
    if not any(bounds):
        return text
    if statistics.median(math.inf if bound else value for value, bound in zip(values, bounds)) != median:
        text = "≥ " + text
    return "%s (deadline, %d of %d runs)" % (text, sum(bounds), len(bounds))


def cell(arm, metric, digits):
    runs = [run for run in arm["runs"] if metric in run["values"]]
    if not runs:
        return ""
    text = marked([run["values"][metric] for run in runs], [is_lower_bound(run, metric) for run in runs], digits)
    return text if len(runs) == len(arm["runs"]) else "%s (%d of %d runs)" % (text, len(runs), len(arm["runs"]))


def provenance(found, kept=""):
    """Where numbers come from, in one line."""
    commit = next(version["value"] for version in found["versions"] if version["name"] == "agent-stream")
    return "Commit `%s`, %s, %s, %s%s." % (
        commit, found["machine"].split(", ")[-1], found["kernel"], found["started"][:10], kept)


REASONS = {"nothingCame": "nothing came", "serverLate": "server late", "linkLate": "link late", "notMade": "not made",
           "steal": "processor time stolen", "pressure": "processors busy", "twice": "there already"}


def discards(results, arm):
    """How many runs of an arm were thrown away, and why."""
    reasons = [run["reason"] for run in results["discarded"] if run["arm"] == arm and run["reason"] != "warmUp"]
    counts = ["%d %s" % (reasons.count(reason), REASONS[reason]) for reason in REASONS if reason in reasons]
    return ", ".join(counts) or "none"


def pairing(results):
    """What the verdict rests on: seeds, pairs and floor of the first comparison."""
    if not results["comparisons"]:
        return ""
    first = results["comparisons"][0]
    return "; verdict: seeds %d, pairs %d, noise floor %.3g" % (
        first["seeds"], len(first["differences"]), first["noiseFloor"])


def one_line(text):
    """A command that was typed on several lines, on one."""
    return " ".join(text.replace("\\\n", " ").split())


def table(name, results):
    present = [entry for entry in METRICS
               if any(cell(arm, entry[0], 0) not in ("", "0") for arm in results["arms"])]
    lines = ["### %s" % name, "", results["header"]["verdict"], "",
             "| arm | server | runs | discarded | " + " | ".join(label for _, label, _ in present) + " |",
             "|---|---|--:|---|" + "--:|" * len(present)]
    for arm in results["arms"]:
        values = " | ".join(cell(arm, metric, digits) for metric, _, digits in present)
        lines.append("| %s | %s | %d | %s | %s |" % (
            arm["label"], one_line(arm["server"] or "–"), len(arm["runs"]), discards(results, arm["name"]), values))
    return "\n".join(lines + ["", provenance(results["header"]["provenance"], pairing(results)), "",
                              "`%s`" % one_line(results["header"]["provenance"]["rerunCommand"]), ""])


def grid(name, points):
    labels = [arm["label"] for arm in points[0]["arms"]]
    runs = sorted({len(arm["downloadTimeSeconds"]) for point in points for arm in point["arms"]})
    lines = ["### %s" % name, "",
             "Median download time in seconds of %s runs and their range: too few to judge any difference."
             % " or ".join(map(str, runs)), "",
             "| round trip | loss each way | " + " | ".join(labels) + " |", "|--:|--:|" + "--:|" * len(labels)]
    for point in sorted(points, key=lambda point: (point["oneWayDelayMilliseconds"], point["lossRate"])):
        medians = []
        for arm in point["arms"]:
            runs = [run for run in zip(arm["downloadTimeSeconds"], arm["endedAtDeadline"]) if run[0] is not None]
            times = [time for time, _ in runs]
            medians.append("%s [%.2f, %.2f]" % (marked(*zip(*runs), 2), min(times), max(times)) if runs else "–")
        lines.append("| %g ms | %g %% | %s |" % (
            2 * point["oneWayDelayMilliseconds"], 100 * point["lossRate"], " | ".join(medians)))
    commands, origins = [], []
    for point in points:
        for line, found in ((point["provenance"]["rerunCommand"], commands), (provenance(point["provenance"]), origins)):
            if line not in found:
                found.append(line)
    return "\n".join(lines + [""] + ["%s  " % origin for origin in origins] + [""]
                     + ["`%s`  " % command for command in commands] + [""])
