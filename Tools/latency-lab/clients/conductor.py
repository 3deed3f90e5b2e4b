"""What every client does alike, whatever library speaks for it: which request is made when, and what is recorded.

A transport does the speaking. It has
  request(exchange)            makes a request, and calls the exchange's began, arrived and over
  drop(exchange, reason)       stops the one exchange, which then is over
  drop_all(reason)             closes all connections; all exchanges then are over
  call_later(seconds, action)  calls the action once, from the same loop
  made_connection(exchange)    whether a connection was made for the exchange
  helper_seconds()             processor time that programs of its own have used so far
  run(make_conductor)          makes the conductor, begins it and runs until it calls stop(); answers the conductor
  connections, connected, spoken, software
What takes time and is no part of a run, as reading the authority's certificate, is done when a transport is made.
"""

import resource
from time import monotonic_ns

from event_stream import EventTooLarge
from exchange import Exchange
from stream import BackOff, Nonsense, Stream

SECOND = 1_000_000_000  # nanoseconds
REASONS_KEPT = 3


class Conductor:
    """One run: opens the streams, resumes them, answers tool calls, ends with the streams or at the deadline."""

    def __init__(self, plan, transport):
        self.plan, self.transport = plan, transport
        self._used_before = self._processor_seconds()  # what starting Python took is no cost of the streams
        self._used = 0.0
        self.requested = monotonic_ns()
        self.start = self.requested + plan.lead
        self.deadline = self.start + plan.deadline
        self.ended = None
        self.streams = []
        self._others_asked = False
        self._first = True
        self._watched = {}  # the latest exchange of each stream
        self._reasons = []
        if plan.download_bytes is None:
            self.streams = [Stream(index, offsets, self.start) for index, offsets in enumerate(plan.offsets)]
        else:
            # Recorded as a stream whose one event is the last byte.
            self.streams = [Stream(0, [self.requested - self.start], self.start)]
            self._bytes_left = plan.download_bytes

    @property
    def is_done(self):
        return self.ended is not None

    def begin(self):
        self.transport.call_later((self.deadline - monotonic_ns()) / SECOND, self._end)
        if self.plan.download_bytes is None:
            self._ask(self.streams[0])
        else:
            self._download(self.streams[0])

    def _end(self):
        if not self.is_done:
            self.ended = monotonic_ns()
            self._used = self._processor_seconds() - self._used_before
            self.transport.stop()

    def _processor_seconds(self):
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return usage.ru_utime + usage.ru_stime + self.transport.helper_seconds()

    def _send(self, exchange, stream=None):
        # The run's clock begins with its first request, before the library has been given anything.
        exchange.requested = self.requested if self._first else monotonic_ns()
        self._first = False
        if stream is not None:
            stream.asked(exchange)
        self.transport.request(exchange)

    def _ask(self, stream):
        if self.is_done:
            return
        exchange = Exchange(stream.path(), accept="text/event-stream")

        def arrived(chunk, at):
            exchange.last_heard = monotonic_ns()
            try:
                for kind in stream.feed(chunk, at):
                    self._react(stream, kind)
            except (EventTooLarge, Nonsense) as problem:
                self._note("stream %d: %s" % (stream.index, problem))
                return False
            return True

        def over(reason):
            if self.is_done or stream.ended:
                return
            stream.broke(monotonic_ns())
            self._note("stream %d: %s" % (stream.index, reason or "the answer ended before the stream"))
            self.transport.call_later(stream.back_off.seconds(), lambda: self._ask(stream))

        exchange.on_bytes, exchange.on_end = arrived, over
        self._send(exchange, stream)
        exchange.last_heard = exchange.requested
        self._watched[stream] = exchange
        self._watch(exchange)

    def _watch(self, exchange):
        """Takes a stream for broken that has been silent for too long, and its connection if all of them have."""
        if self.is_done or exchange.is_over:
            return
        now, limit = monotonic_ns(), self.plan.idle_timeout
        if (left := exchange.last_heard + limit - now) > 0:
            self.transport.call_later(left / SECOND, lambda: self._watch(exchange))
            return
        reason = "silent for %.1f s" % ((now - exchange.last_heard) / SECOND)
        # The streams fall silent one after another, each after its own last event.
        others = [each for each in self._watched.values() if not each.is_over]
        if all(now - each.last_heard > limit // 2 for each in others):
            self.transport.drop_all(reason)
        else:
            self.transport.drop(exchange, reason)

    def _react(self, stream, kind):
        if kind == "opened" and not self._others_asked:
            self._others_asked = True
            for other in self.streams[1:]:
                self._ask(other)
        elif kind == "tool":
            self._post_tool(stream, BackOff())
        elif kind == "end" and all(each.ended for each in self.streams):
            self._end()

    def _post_tool(self, stream, back_off):
        if self.is_done:
            return
        exchange = Exchange("/o/tool/%d?start=%d" % (stream.index, self.start), body=b"{}")

        def over(reason):
            if reason is not None and not self.is_done:
                self._note("tool result of stream %d: %s" % (stream.index, reason))
                self.transport.call_later(back_off.seconds(), lambda: self._post_tool(stream, back_off))

        exchange.on_end = over
        self._send(exchange)

    def _download(self, stream):
        exchange = Exchange("/o/bytes?count=%d" % self.plan.download_bytes)

        def arrived(chunk, at):
            self._bytes_left -= len(chunk)
            stream.downloaded(at or monotonic_ns(), self.requested, self._bytes_left == 0)
            return True

        def over(reason):
            if self.is_done:
                return
            if self._bytes_left:
                self._note("download: %s; %d bytes are missing" % (reason or "it ended too early", self._bytes_left))
            self._end()

        exchange.on_bytes, exchange.on_end = arrived, over
        self._send(exchange, stream)

    def _note(self, reason):
        if reason not in self._reasons:
            self._reasons = (self._reasons + [reason])[-REASONS_KEPT:]

    def _failure(self):
        missing = sum(stream.missing() for stream in self.streams)
        faults = ["stream %d: %s" % (stream.index, stream.problem) for stream in self.streams if stream.problem]
        if missing:
            total = sum(len(stream.offsets) for stream in self.streams)
            faults.append("%d of %d events did not come" % (missing, total))
        elif self.plan.download_bytes is None and (open_ones := [each for each in self.streams if not each.ended]):
            faults.append("%d of %d streams did not end" % (len(open_ones), len(self.streams)))
        if faults and self.transport.connected is None:
            faults.append("no connection was made")
        return "; ".join(faults + self._reasons) if faults else None

    def _openings(self):
        for stream in self.streams:
            if stream.requested is not None:
                cold = stream is self.streams[0] or self.transport.made_connection(stream.first_exchange)
                yield {"stream": stream.index, "kind": "cold" if cold else "warm", "requested": stream.requested,
                       "firstEvent": stream.first_event}

    def record(self):
        """The ClientRecord (Sources/Lab/LatencyReport/Results/RunRecord.swift)."""
        return {
            "spoken": self.transport.spoken,
            "connections": self.transport.connections,
            "requested": self.requested,
            "connected": self.transport.connected,
            "start": self.start,
            "ended": self.ended,
            "openings": list(self._openings()),
            "events": [event for stream in self.streams for event in stream.records()],
            "reconnects": [reconnect for stream in self.streams for reconnect in stream.reconnects],
            "duplicates": sum(stream.duplicates for stream in self.streams),
            "cpuSeconds": self._used,
            "software": self.transport.software,
            "failure": self._failure(),
        }
