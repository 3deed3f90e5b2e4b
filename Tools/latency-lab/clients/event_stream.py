"""Cuts the bytes of a `text/event-stream` into events, as the HTML standard's "server-sent events" says."""

import collections
import re

LIMIT = 1 << 20  # bytes of one event, and of one line
LINE_END = re.compile(rb"\r\n|\r|\n")

Event = collections.namedtuple("Event", "kind data identifier")


class EventTooLarge(Exception):
    """The server sent an event, or a line, that is larger than the limit."""


class EventStreamParser:
    """Takes the body of one response in pieces of any size."""

    def __init__(self):
        self._rest = b""
        self._at_start = True
        self._after_carriage_return = False
        self._identifier = ""
        self._clear()

    def feed(self, chunk):
        """The events that these bytes complete, each as soon as its last byte has been looked at."""
        if not chunk:
            return
        if self._after_carriage_return and chunk.startswith(b"\n"):  # the second half of a CRLF
            chunk = chunk[1:]
        self._rest += chunk
        self._after_carriage_return = self._rest.endswith(b"\r")
        if self._at_start:
            mark = b"\xef\xbb\xbf"
            if len(self._rest) < len(mark) and mark.startswith(self._rest):
                return
            self._rest = self._rest.removeprefix(mark)
            self._at_start = False
        lines = LINE_END.split(self._rest)
        self._rest = lines.pop()
        if len(self._rest) > LIMIT:
            raise EventTooLarge("a line of more than %d bytes" % LIMIT)
        for line in lines:
            if line:
                self._field(line)
            elif (event := self._dispatch()) is not None:
                yield event

    def _field(self, line):
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._size += len(value) + 1
            if self._size > LIMIT:
                raise EventTooLarge("an event of more than %d bytes" % LIMIT)
            self._data.append(value)
        elif name == b"event":
            self._kind = value
        elif name == b"id" and b"\0" not in value:
            self._identifier = value.decode("utf-8", "replace")

    def _dispatch(self):
        data, kind = self._data, self._kind
        self._clear()
        if not data:
            return None
        return Event((kind or b"message").decode("utf-8", "replace"), b"\n".join(data), self._identifier)

    def _clear(self):
        self._data, self._kind, self._size = [], b"", 0
