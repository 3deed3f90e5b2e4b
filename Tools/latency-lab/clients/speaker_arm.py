"""Arms whose library speaks in a program of its own, the speaker: it takes orders, and reports what came and when.

Orders and reports are JSON objects with a `kind`:
  orders   connect: connection | request: connection, id, method, path, fields, body | drop: id | close: connection
  reports  connected: connection, at | lost: connection, reason | head: id, status | data: id, at, data (base64)
           over: id, reason (null or absent: the answer is whole)
`at` is when the speaker itself had what it reports, in nanoseconds of the monotonic clock. The way to this process
takes longer and does not count.
"""

import base64
import itertools
import os
import time

from async_arm import AsyncArm, Connection


class SpeakerConnection(Connection):
    """A connection that the speaker is told to make and to close."""

    def __init__(self, arm, number):
        super().__init__(arm)
        self.number = number

    async def open(self):
        self.arm.order("connect", connection=self.number)

    def send(self, exchange):
        identifier = self.arm.next_identifier()
        body = None if exchange.body is None else exchange.body.decode()
        self.arm.order("request", connection=self.number, id=identifier, method=exchange.method, path=exchange.path,
                       fields=dict(exchange.fields()), body=body)
        return identifier

    def drop(self, identifier):
        self.arm.order("drop", id=identifier)

    def flush(self):
        """Nothing waits: an order is written at once."""

    def close(self):
        self.arm.order("close", connection=self.number)


class SpeakerArm(AsyncArm):
    """A subclass starts the speaker, writes orders to it, hands its reports to `take`, tells of its end."""

    def __init__(self, plan, software):
        super().__init__(plan, software)
        self._identifiers = itertools.count(1)
        self._numbers = itertools.count(1)

    def write(self, order):
        raise NotImplementedError

    def order(self, kind, **values):
        try:
            self.write({"kind": kind, **values})
        except OSError:
            pass  # It has ended, which the reading side reports.

    def next_identifier(self):
        return next(self._identifiers)

    def make_connection(self):
        return SpeakerConnection(self, next(self._numbers))

    def take(self, report):
        connection = self._connection
        if connection is None or report.get("connection", connection.number) != connection.number:
            return  # of a connection that was given up
        kind = report["kind"]
        if kind == "connected":
            connection.opened(report["at"])
        elif kind == "lost":
            connection.lost(report["reason"])
        elif kind == "head":
            connection.head(report["id"], [(b":status", b"%d" % report["status"])])
        elif kind == "data":
            connection.data(report["id"], base64.b64decode(report["data"]), report["at"])
        elif kind == "over":
            connection.finished(report["id"], report.get("reason"))

    def speaker_ended(self):
        if self._connection is not None:
            self._connection.lost("its program ended")


def processor_seconds(process):
    """Processor time of a process and its live descendants, their ended threads included."""
    total, open_ones = 0, [process]
    while open_ones:
        number = open_ones.pop()
        try:
            # The clock of a process, as clock_getcpuclockid(3) makes it.
            total += time.clock_gettime_ns((~number << 3) | 2)
            for thread in os.listdir("/proc/%d/task" % number):
                with open("/proc/%d/task/%s/children" % (number, thread), encoding="ascii") as file:
                    open_ones += [int(word) for word in file.read().split()]
        except OSError:
            continue  # It has ended meanwhile.
    return total / 1e9
