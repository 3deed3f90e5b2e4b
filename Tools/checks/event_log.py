"""Reads the reference backend's durable event log as it is on disk, past the backend itself."""

import json
import sqlite3


def read_events(database, session, turn):
    """The (id, type, payload) of a turn's events, oldest first, in the form in which a client gets them."""
    # Opened as the backend opens it: after kill -9 the last events are in the write-ahead log, not in the main file.
    connection = sqlite3.connect(database)
    try:
        rows = connection.execute(
            "SELECT id, type, payload, delta FROM events WHERE session_id = ? AND turn_id = ? ORDER BY id",
            (session, turn)).fetchall()
    finally:
        connection.close()
    events, text = [], ""
    for identifier, kind, payload, delta in rows:
        if delta is not None:  # the log keeps the delta alone; the text so far is their sum
            text += delta
            events.append((str(identifier), kind, {"delta": delta, "accumulated": text}))
        else:
            events.append((str(identifier), kind, json.loads(payload)))
    return events
