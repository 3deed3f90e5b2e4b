"""The raw data of an experiment: its run files as two compressed tables, and the run files again from these.

A run file holds its events and its packets in columns, as `RunFile` in Sources/Lab/LatencyReport describes. Here each event
and each packet is a line of a table, for programs that know nothing of the lab; all else of the runs is in records.json.xz.
Nothing is lost: what is written is read again and compared.

The tables are XZ, which Python and R read by themselves. Of two runs of eight streams it needed 9 bytes an event or a packet,
bzip2 14 to 17 % more, and gzip 34 to 46 %. It holds no time and no name, so the same data give the same bytes.
"""

import csv
import itertools
import json
import lzma
import os
import shutil

from . import Refusal

EVENTS, PACKETS, RECORDS = "events.csv.xz", "packets.csv.xz", "records.json.xz"
EVENT_COLUMNS = ["arm", "repetition", "stream", "sequence", "scheduled_ns", "written_after_ns", "received_after_ns"]
PACKET_COLUMNS = ["arm", "repetition", "number", "direction", "transport", "bytes", "entered_ns", "transit_ns", "late_ns",
                  "verdict", "cause", "queued_bytes"]
DIRECTIONS = {"c": "toClient", "s": "toServer"}
TRANSPORTS = {"u": "udp", "t": "tcp", "o": "other"}
RUN_VERSION, RECORDS_VERSION = 1, 1
PRESET = 6 | lzma.PRESET_EXTREME


def exists(folder):
    """Whether an experiment's folder holds recorded runs; one of `simulate` has none."""
    return os.path.isdir(os.path.join(folder, "runs"))


def pack(folder, target):
    """Writes the raw data of the experiment in `folder` to the new folder `target`."""
    os.makedirs(target)
    names = sorted(name for name in os.listdir(os.path.join(folder, "runs")) if name.endswith(".json"))
    if not names:
        raise Refusal("%s/runs is empty: there is nothing to keep." % folder)
    experiment = read_json(os.path.join(folder, "experiment.json"))
    hide_paths(experiment["content"]["provenance"])
    with open(os.path.join(target, "experiment.json"), "w", encoding="utf-8") as file:
        file.write(compact(experiment) + "\n")
    if os.path.exists(os.path.join(folder, "discards.json")):
        shutil.copyfile(os.path.join(folder, "discards.json"), os.path.join(target, "discards.json"))
    records = {}
    with table(target, EVENTS) as event_file, table(target, PACKETS) as packet_file:
        events, packets = (csv.writer(file, lineterminator="\n") for file in (event_file, packet_file))
        events.writerow(EVENT_COLUMNS)
        packets.writerow(PACKET_COLUMNS)
        for name in names:
            run = read_run(os.path.join(folder, "runs", name))
            events.writerows(event_rows(run))
            packets.writerows(packet_rows(run))
            records[name] = {key: value for key, value in run.items() if key not in ("events", "packets")}
    with lzma.open(os.path.join(target, RECORDS), "wt", preset=PRESET, encoding="utf-8") as file:
        file.write(compact({"version": RECORDS_VERSION, "runs": records}) + "\n")
    for name, run in runs(target):
        if run != read_run(os.path.join(folder, "runs", name)):
            raise Refusal("%s/runs/%s is not the same when it is read again from the tables." % (folder, name))


def unpack(source, folder):
    """Writes the experiment again that `pack` read, as far as `latency-lab report` needs it."""
    os.makedirs(os.path.join(folder, "runs"))
    for name in ("experiment.json", "discards.json"):
        if os.path.exists(os.path.join(source, name)):
            shutil.copyfile(os.path.join(source, name), os.path.join(folder, name))
    for name, run in runs(source):
        with open(os.path.join(folder, "runs", name), "w", encoding="utf-8") as file:
            file.write(compact(run))


def runs(source):
    """The name and the content of each run file."""
    with lzma.open(os.path.join(source, RECORDS), "rt", encoding="utf-8") as file:
        records = json.load(file)
    if records["version"] != RECORDS_VERSION:
        raise Refusal("%s/%s is of version %s, which this program does not read." % (source, RECORDS, records["version"]))
    with lines(source, EVENTS) as event_file, lines(source, PACKETS) as packet_file:
        events, packets = RowsByRun(event_file, EVENT_COLUMNS), RowsByRun(packet_file, PACKET_COLUMNS)
        for name, run in records["runs"].items():
            if os.path.basename(name) != name:
                raise Refusal("%s names the run %s." % (source, name))
            key = run["arm"], run["repetition"]
            yield name, {**run, "events": event_columns(events.of(key)), "packets": packet_columns(packets.of(key))}
        if events.has_more or packets.has_more:
            raise Refusal("%s has events or packets of a run that %s does not name." % (source, RECORDS))


class RowsByRun:
    """A table's rows, which stand in the order of the runs. A run may have none."""

    def __init__(self, file, columns):
        rows = csv.reader(file)
        if next(rows, None) != columns:
            raise Refusal("A table has not the columns %s." % ",".join(columns))
        self.groups = itertools.groupby(rows, key=lambda row: (row[0], int(row[1])))
        self.pending = next(self.groups, None)

    @property
    def has_more(self):
        return self.pending is not None

    def of(self, key):
        if self.pending is None or self.pending[0] != key:
            return []
        rows = list(self.pending[1])
        self.pending = next(self.groups, None)
        return rows


def event_rows(run):
    columns = run["events"]
    for row in zip(columns["stream"], columns["sequence"], columns["scheduled"], columns["written"], columns["received"]):
        yield [run["arm"], run["repetition"], *row]


def event_columns(rows):
    return {"stream": [int(row[2]) for row in rows], "sequence": [int(row[3]) for row in rows],
            "scheduled": [int(row[4]) for row in rows], "written": [number(row[5]) for row in rows],
            "received": [number(row[6]) for row in rows]}


def packet_rows(run):
    columns = run["packets"]
    verdicts, causes = by_row(columns["verdicts"]), by_row(columns["causes"])
    numbers, times = itertools.accumulate(columns["number"]), itertools.accumulate(columns["entered"])
    packets = zip(numbers, columns["direction"], columns["transport"], columns["bytes"], times, columns["due"],
                  columns["left"], columns["queuedBytes"])
    for row, (count, direction, transport, size, entered, due, left, queued) in enumerate(packets):
        yield [run["arm"], run["repetition"], count, DIRECTIONS[direction], TRANSPORTS[transport], size, entered, due, left,
               verdicts.get(row, "delivered"), causes.get(row, "none"), queued]


def packet_columns(rows):
    directions = {word: letter for letter, word in DIRECTIONS.items()}
    transports = {word: letter for letter, word in TRANSPORTS.items()}
    return {"number": differences(int(row[2]) for row in rows),
            "direction": "".join(directions[row[3]] for row in rows),
            "transport": "".join(transports[row[4]] for row in rows), "bytes": [int(row[5]) for row in rows],
            "entered": differences(int(row[6]) for row in rows), "due": [number(row[7]) for row in rows],
            "left": [number(row[8]) for row in rows], "verdicts": exceptions((row[9] for row in rows), "delivered"),
            "causes": exceptions((row[10] for row in rows), "none"), "queuedBytes": [int(row[11]) for row in rows]}


def by_row(exceptional):
    """The words of rows, from the rows of words."""
    return {row: word for word, rows in exceptional.items() for row in rows}


def exceptions(words, usual):
    """The rows of each word but the usual one."""
    found = {}
    for row, word in enumerate(words):
        if word != usual:
            found.setdefault(word, []).append(row)
    return found


def differences(values):
    """Each value's from the one before, the first one's from 0."""
    previous, found = 0, []
    for value in values:
        found.append(value - previous)
        previous = value
    return found


def number(text):
    return int(text) if text else None


def hide_paths(provenance):
    """The command as it was typed, without where things lay on the machine."""
    words = provenance["commandLine"]
    if "--out" in words:
        at = words.index("--out")
        words = words[:at] + words[at + 2:]
    provenance["commandLine"] = ["latency-lab"] + [
        os.path.basename(word) if os.path.isabs(word) else word for word in words[1:]]


def compact(content):
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False)


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def read_run(path):
    run = read_json(path)
    if run["version"] != RUN_VERSION:
        raise Refusal("%s is of version %s, which this program does not read." % (path, run["version"]))
    return run


def table(folder, name):
    return lzma.open(os.path.join(folder, name), "wt", preset=PRESET, encoding="utf-8", newline="")


def lines(folder, name):
    return lzma.open(os.path.join(folder, name), "rt", encoding="utf-8", newline="")
