"""runs.csv: a line for each recorded run, with its metrics where it is kept."""

import csv
import io

from . import raw

FACTS = ["arm", "repetition", "seed", "discarded", "spoken", "connections", "one_way_delay_ms", "requested_ns",
         "connected_ns", "end_ns", "events", "received", "duplicates", "packets", "dropped", "client_cpu_s",
         "server_cpu_s", "steal_percent", "pressure_percent", "failure"]


def table(source, results):
    """The table's text, from raw data and from the results that the program has made of them."""
    reasons = {(run["arm"], run["repetition"]): run["reason"] for run in results["discarded"]}
    metrics = {(arm["name"], run["repetition"]): run["values"] for arm in results["arms"] for run in arm["runs"]}
    names = sorted({name for values in metrics.values() for name in values})
    delay = results["scenario"]["link"]["toClient"].get("oneWayDelayMilliseconds", 0)
    text = io.StringIO()
    lines = csv.DictWriter(text, FACTS + names, lineterminator="\n")
    lines.writeheader()
    for _, run in raw.runs(source):
        key = run["arm"], run["repetition"]
        lines.writerow({**facts(run), "discarded": reasons.get(key, ""), "one_way_delay_ms": delay, **metrics.get(key, {})})
    return text.getvalue()


def facts(run):
    """Of one run; times are from the schedule's start."""
    client, events, load = run["client"], run["events"], run.get("load") or {}
    start = client["start"]
    connected = client.get("connected")
    return {
        "arm": run["arm"], "repetition": run["repetition"], "seed": run["seed"], "spoken": client["spoken"],
        "connections": client["connections"], "requested_ns": client["requested"] - start,
        "connected_ns": None if connected is None else connected - start,
        # As RunTimes has it: the client's end, and not before the last event was due.
        "end_ns": max([client["ended"] - start, *events["scheduled"]]),
        "events": len(events["received"]), "received": sum(time is not None for time in events["received"]),
        "duplicates": client["duplicates"], "packets": len(run["packets"]["number"]),
        "dropped": len(run["packets"]["verdicts"].get("dropped", [])), "client_cpu_s": client["cpuSeconds"],
        "server_cpu_s": run.get("serverCPUSeconds"), "steal_percent": load.get("stealPercent"),
        "pressure_percent": load.get("pressurePercent"), "failure": client.get("failure")}
