"""Reads the reference backend's durable event log as it is on disk, past the backend itself."""

import json
import sqlite3
import subprocess

QUERY = """
    SELECT sequence, type, {payload} FROM ledger_events JOIN ledger_streams ON ledger_streams.id = stream_id
    WHERE name = '{name}' ORDER BY sequence"""


def stored_events(database, session):
    """The (sequence, type, payload) of a session's events as they are stored; a database is a file or a server's URL."""
    name = "session/" + session
    if database.startswith("postgres"):
        query = QUERY.format(name=name, payload="encode(payload, 'hex')")
        lines = subprocess.run(
            ["psql", database, "-qAtX", "-F", "\t", "-c", query], check=True, capture_output=True, text=True).stdout
        rows = [line.split("\t") for line in lines.splitlines()]
        return [(int(sequence), kind, bytes.fromhex(payload)) for sequence, kind, payload in rows]
    # Opened as the backend opens it: after kill -9 the last events are in the write-ahead log, not in the main file.
    connection = sqlite3.connect(database)
    try:
        return connection.execute(QUERY.format(name=name, payload="payload")).fetchall()
    finally:
        connection.close()


def read_events(database, session, turn):
    """The (id, type, payload) of a turn's events, oldest first, in the form in which a client gets them."""
    events, text = [], ""
    for sequence, kind, payload in stored_events(database, session):
        head, body = payload.split(b"\n", 1)  # whose it is, as JSON, and the event's own content
        if json.loads(head)[0] != turn:
            continue
        if kind == "assistant_text_delta":  # the log keeps the delta alone; the text so far is their sum
            delta = body.decode()
            text += delta
            events.append((str(sequence), kind, {"delta": delta, "accumulated": text}))
        else:
            events.append((str(sequence), kind, json.loads(body)))
    return events
