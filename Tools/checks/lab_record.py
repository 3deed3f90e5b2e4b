"""What has to hold for the ClientRecord that a client of the latency lab writes, whatever library spoke for it."""

import statistics

from programs import CheckFailed

KEYS = {"spoken", "connections", "requested", "connected", "start", "ended", "openings", "events", "reconnects",
        "duplicates", "cpuSeconds", "software", "failure"}
EARLY = 1_000_000  # nanoseconds by which a timer may be early
# Nanoseconds; a server that keeps events back until an answer is whole has half of the schedule here.
MEDIAN_DELAY_LIMIT = 300_000_000


def demand(condition, message, *values):
    if not condition:
        raise CheckFailed(message % values)


def check_record(record, plan, protocol, breaks=False):
    """The record of a run in which all has come: each event once and in order, at possible times."""
    demand(set(record) == KEYS, "the record's keys are %s", sorted(record))
    demand(record["failure"] is None, "failure: %s", record["failure"])
    demand(record["spoken"] == protocol, "spoken is %s, %s is due", record["spoken"], protocol)
    demand(record["software"] and record["cpuSeconds"] > 0, "software '%s', %s s of CPU", record["software"],
           record["cpuSeconds"])
    demand(record["start"] == record["requested"] + round(plan["leadMilliseconds"] * 1e6),
           "the start is not the lead after the first request")
    demand(record["connected"] is None or record["requested"] <= record["connected"] <= record["ended"],
           "connected at %s, between %s and %s is due", record["connected"], record["requested"], record["ended"])
    demand(record["duplicates"] == 0, "%d duplicates", record["duplicates"])
    if plan["downloadBytes"] is not None:
        check_download(record)
        return
    check_openings(record, plan, protocol)
    check_events(record, plan)
    check_breaks(record, plan, breaks)
    if not breaks and plan["toolSequence"] is None:
        due = len(plan["offsetsNanoseconds"]) if protocol == "h1" else 1
        demand(record["connections"] == due, "%d connections, %d are due", record["connections"], due)


def check_openings(record, plan, protocol):
    openings = record["openings"]
    streams = list(range(len(plan["offsetsNanoseconds"])))
    demand([opening["stream"] for opening in openings] == streams, "openings: %s", openings)
    first, others = openings[0], openings[1:]
    demand(first["requested"] == record["requested"], "the first opening is not the first request: %s", first)
    kinds = ["cold"] + ["cold" if protocol == "h1" else "warm"] * len(others)
    demand([opening["kind"] for opening in openings] == kinds, "openings are %s, %s is due", openings, kinds)
    for opening in openings:
        demand(opening["firstEvent"] is not None and opening["firstEvent"] > opening["requested"],
               "no first event: %s", opening)
    for opening in others:
        demand(opening["requested"] >= first["firstEvent"], "opened before the first stream was: %s", opening)


def check_events(record, plan):
    events = record["events"]
    due = [(stream, sequence, record["start"] + offset)
           for stream, offsets in enumerate(plan["offsetsNanoseconds"]) for sequence, offset in enumerate(offsets)]
    demand([(event["stream"], event["sequence"], event["scheduled"]) for event in events] == due,
           "the events are not the schedule's: %d of them, %d are due", len(events), len(due))
    last = {}
    for event in events:
        demand(event["written"] is not None and event["received"] is not None, "did not come: %s", event)
        demand(event["scheduled"] - EARLY <= event["written"] <= event["received"] <= record["ended"],
               "at an impossible time: %s", event)
        demand(event["received"] >= last.get(event["stream"], 0), "before the one before it: %s", event)
        last[event["stream"]] = event["received"]
    delay = statistics.median(event["received"] - event["written"] for event in events)
    demand(delay <= MEDIAN_DELAY_LIMIT, "half of the events came %.0f ms or more after they were written", delay / 1e6)


def check_breaks(record, plan, breaks):
    reconnects = record["reconnects"]
    if not breaks:
        demand(not reconnects, "reconnects where nothing broke: %s", reconnects)
        return
    demand({reconnect["stream"] for reconnect in reconnects} == set(range(len(plan["offsetsNanoseconds"]))),
           "not every stream was resumed: %s", reconnects)
    for reconnect in reconnects:
        demand(reconnect["lastEvent"] is not None and reconnect["nextEvent"] is not None
               and reconnect["lastEvent"] <= reconnect["noticed"] < reconnect["nextEvent"],
               "a break at an impossible time: %s", reconnect)


def check_download(record):
    demand(len(record["openings"]) == 1 and len(record["events"]) == 1, "openings %s, events %s",
           record["openings"], record["events"])
    opening, event = record["openings"][0], record["events"][0]
    demand(event["scheduled"] == event["written"] == opening["requested"] == record["requested"],
           "a download begins with its request: %s, %s", opening, event)
    demand(opening["firstEvent"] is not None and event["received"] is not None
           and record["requested"] < opening["firstEvent"] <= event["received"] <= record["ended"],
           "the first and the last byte came at impossible times: %s, %s", opening, event)
