"""The kept runs as tables, with Python's standard library alone. DATA.md describes the columns.

    import sys; sys.path.insert(0, "Tools/latency-lab/results")
    import load
    events = list(load.events("loss-2-8-ours"))              # a dictionary for each event; so are runs and packets
    frame = pandas.DataFrame(load.events("loss-2-8-ours"))   # with pandas
"""

import csv
import lzma
import os

RESULTS = os.path.dirname(os.path.abspath(__file__))


def value(text):
    """A number where the text is one, None where it is empty."""
    if text[:1].isalpha():
        return text
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None


def rows(experiment, name, results=RESULTS):
    path = os.path.join(results, experiment, name)
    with (lzma.open if name.endswith(".xz") else open)(path, "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield {"experiment": experiment, **{column: value(text) for column, text in row.items()}}


def runs(experiment, results=RESULTS):
    return rows(experiment, "runs.csv", results)


def of_runs(experiment, name, results):
    """The rows of a table, each with its run."""
    known = {(run["arm"], run["repetition"]): run for run in runs(experiment, results)}
    for row in rows(experiment, name, results):
        run = known[row["arm"], row["repetition"]]
        yield {**row, "seed": run["seed"], "discarded": run["discarded"]}, run


def later(time, difference):
    return None if difference is None else time + difference


def events(experiment, results=RESULTS):
    for event, run in of_runs(experiment, "raw/events.csv.xz", results):
        scheduled, delay = event["scheduled_ns"], run["one_way_delay_ms"]
        written, latency = event.pop("written_after_ns"), event.pop("received_after_ns")
        excess = None if latency is None else latency / 1e6 - delay
        yield {**event, "written_ns": later(scheduled, written), "received_ns": later(scheduled, latency),
               "excess_ms": excess,
               "waited_ms": max(0, (run["end_ns"] - scheduled) / 1e6 - delay) if excess is None else excess}


def packets(experiment, results=RESULTS):
    for packet, _ in of_runs(experiment, "raw/packets.csv.xz", results):
        due = later(packet["entered_ns"], packet.pop("transit_ns"))
        left = later(packet["entered_ns"] if due is None else due, packet.pop("late_ns"))
        yield {**packet, "due_ns": due, "left_ns": left}
