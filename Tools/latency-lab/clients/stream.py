"""One stream of a run: what was asked, what came and when, over however many requests that takes."""

import json
from time import monotonic_ns

from event_stream import EventStreamParser

FIRST_BACK_OFF = 0.25  # seconds
LONGEST_BACK_OFF = 2.0


class Nonsense(Exception):
    """The server sent an event that the workload does not have; the message says what."""


class BackOff:
    """250 ms, doubled up to 2 s by each failure after another, without jitter so that arms have the same."""

    def __init__(self):
        self.reset()

    def reset(self):
        self._next = FIRST_BACK_OFF

    def seconds(self):
        now, self._next = self._next, min(2 * self._next, LONGEST_BACK_OFF)
        return now


class Stream:
    def __init__(self, index, offsets, start):
        self.index, self.offsets, self.start = index, offsets, start
        self.back_off = BackOff()
        self.requested = self.first_event = None
        self.first_exchange = None
        self.requests = 0
        self.ended = False
        self.duplicates = 0
        self.reconnects = []
        self.problem = None
        self._written = [None] * len(offsets)
        self._received = [None] * len(offsets)
        self._next = 0  # the sequence that is due
        self._last_received = None
        self._parser = None

    def path(self):
        return "/o/stream/%d?start=%d&from=%d" % (self.index, self.start, self._next)

    def asked(self, exchange):
        """A request for the stream is being made."""
        self.requests += 1
        self._parser = EventStreamParser()
        if self.requested is None:
            self.requested, self.first_exchange = exchange.requested, exchange

    def feed(self, chunk, at=None):
        """Takes bytes of the present request's body, which were there `at` that time (None: now); answers the kinds of
        the events other than plain ones."""
        for event in self._parser.feed(chunk):
            if event.kind == "opened":
                # An answer to a later request belongs to a reconnect: it shows nothing of the opening.
                if self.requests == 1 and self.first_event is None:
                    self.first_event = at or monotonic_ns()
                yield event.kind
            elif event.kind == "end":
                self.ended = True
                yield event.kind
            elif self._take(event, at) and event.kind == "tool":
                yield event.kind

    def _take(self, event, at):
        """Notes a numbered event; False for one that was seen before."""
        try:
            content = json.loads(event.data)
            sequence, written = content["n"], content["w"]
            now = at or monotonic_ns()
            known = 0 <= sequence < len(self.offsets) and isinstance(written, int)
        except (ValueError, KeyError, TypeError):
            known = False
        if not known:
            raise Nonsense("an event that the schedule does not have: %r" % event.data[:100])
        if self._received[sequence] is not None:
            self.duplicates += 1
            return False
        if sequence != self._next and self.problem is None:
            self.problem = "event %d came where %d was due" % (sequence, self._next)
        self._written[sequence], self._received[sequence] = written, now
        self._next = max(self._next, sequence + 1)
        self._last_received = now
        self.back_off.reset()
        if self.reconnects and self.reconnects[-1]["nextEvent"] is None:
            self.reconnects[-1]["nextEvent"] = now
        return True

    def broke(self, now):
        """The request's answer is over before the stream is; attempts that fail one after another are one break."""
        if not self.reconnects or self.reconnects[-1]["nextEvent"] is not None:
            self.reconnects.append(
                {"stream": self.index, "noticed": now, "lastEvent": self._last_received, "nextEvent": None})

    def downloaded(self, now, written, is_whole):
        """Bytes of a download came: the first are the opening, the last are the stream's one event."""
        if self.first_event is None:
            self.first_event = now
        if is_whole:
            self._written[0], self._received[0] = written, now

    def missing(self):
        return self._received.count(None)

    def records(self):
        for sequence, offset in enumerate(self.offsets):
            yield {"stream": self.index, "sequence": sequence, "scheduled": self.start + offset,
                   "written": self._written[sequence], "received": self._received[sequence]}
