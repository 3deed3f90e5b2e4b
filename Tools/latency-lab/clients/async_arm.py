"""What the clients on asyncio have alike: one connection at a time, made when there is a request for it."""

import asyncio
from time import monotonic_ns


class Broken(Exception):
    """The connection is not available or lost; the message says why."""


class Connection:
    """A connection that speaks one protocol. A subclass says how it is opened and how a request is sent."""

    def __init__(self, arm):
        self.arm = arm
        self.is_open = False
        self.is_lost = False
        self.waiting = []  # asked for before the handshake was done
        self.exchanges = {}  # by stream identifier

    async def open(self):
        raise NotImplementedError

    def send(self, exchange):
        """Sends the request and answers its stream's identifier."""
        raise NotImplementedError

    def drop(self, identifier):
        """Notifies the peer that nobody wants the rest of a stream."""
        raise NotImplementedError

    def flush(self):
        """Hands what was sent to the socket."""
        raise NotImplementedError

    def close(self):
        raise NotImplementedError

    def request(self, exchange):
        if self.is_open:
            self._start(exchange)
            self.flush()
        else:
            self.waiting.append(exchange)

    def opened(self, at=None):
        """The handshake is done, at that time or now: what waited is sent in one go."""
        self.is_open = True
        self.arm.connection_opened(at)
        waiting, self.waiting = self.waiting, []
        for exchange in waiting:
            self._start(exchange)
        self.flush()

    def _start(self, exchange):
        try:
            self.exchanges[self.send(exchange)] = exchange
        except Broken as reason:
            # Not from here: the caller is in the middle of asking.
            asyncio.get_running_loop().call_soon(exchange.over, str(reason))

    def head(self, identifier, fields):
        """An answer's header section; interim ones do not count."""
        exchange = self.exchanges.get(identifier)
        status = dict(fields).get(b":status", b"")
        if exchange is not None and status.isdigit() and not status.startswith(b"1"):
            exchange.began(int(status))

    def data(self, identifier, chunk, at=None):
        exchange = self.exchanges.get(identifier)
        if exchange is not None and not exchange.arrived(chunk, at):
            self.drop(identifier)
            self.finished(identifier, "dropped")

    def finished(self, identifier, reason=None):
        exchange = self.exchanges.pop(identifier, None)
        if exchange is not None:
            exchange.over(reason)

    def drop_exchange(self, exchange, reason):
        if exchange in self.waiting:
            self.waiting.remove(exchange)
            exchange.over(reason)
        for identifier in [identifier for identifier, each in self.exchanges.items() if each is exchange]:
            self.drop(identifier)
            self.finished(identifier, reason)
            self.flush()

    def lost(self, reason):
        if self.is_lost:
            return
        self.is_lost = True
        self.arm.connection_lost(self)
        exchanges = self.waiting + list(self.exchanges.values())
        self.waiting, self.exchanges = [], {}
        for exchange in exchanges:
            exchange.over(reason)


class AsyncArm:
    """The transport that a conductor is given; a subclass names the protocol and makes connections."""

    spoken = None

    def __init__(self, plan, software):
        self.plan, self.software = plan, software
        self.connections = 0
        self.connected = None
        self._connection = None
        self._made_for = set()
        self._tasks = set()
        self._stopped = None

    def make_connection(self):
        raise NotImplementedError

    def made_connection(self, exchange):
        return exchange in self._made_for

    def request(self, exchange):
        if self._connection is None:
            self._made_for.add(exchange)
            self._connection = self.make_connection()
            task = asyncio.get_running_loop().create_task(self._open(self._connection))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._connection.request(exchange)

    async def _open(self, connection):
        try:
            await connection.open()
        except (Broken, OSError, ValueError) as error:
            connection.lost("%s: %s" % (type(error).__name__, error))

    def drop(self, exchange, reason):
        if self._connection is not None:
            self._connection.drop_exchange(exchange, reason)

    def drop_all(self, reason):
        if self._connection is not None:
            connection = self._connection
            connection.lost(reason)
            connection.close()

    def connection_opened(self, at):
        self.connections += 1
        if self.connected is None:
            self.connected = at or monotonic_ns()

    def connection_lost(self, connection):
        if self._connection is connection:
            self._connection = None

    def helper_seconds(self):
        return 0.0

    def call_later(self, seconds, action):
        asyncio.get_running_loop().call_later(max(0.0, seconds), action)

    def stop(self):
        self._stopped.set()

    def run(self, make_conductor):
        return asyncio.run(self._run(make_conductor))

    async def _run(self, make_conductor):
        self._stopped = asyncio.Event()
        conductor = make_conductor()
        conductor.begin()
        await self._stopped.wait()
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
        return conductor

    def close(self):
        """Nothing is left: the connection belongs to the loop, which is over."""

    def request_fields(self, exchange):
        fields = [(":method", exchange.method), (":scheme", "https"), (":authority", self.plan.authority),
                  (":path", exchange.path), ("user-agent", "latency-lab")]
        return [(name.encode(), value.encode()) for name, value in fields + exchange.fields()]
