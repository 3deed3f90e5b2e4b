"""A relay that loses connections in the middle of what the server says."""

import asyncio

from relay import Relay


class CuttingRelay(Relay):
    """Relays TCP, and with `udp` datagrams too. A TCP connection is lost by closing it, a UDP one by silence, so that only a
    new connection helps."""

    def __init__(self, target, port=0, udp=False):
        self.cuts = 0
        self._left, self._first, self._limit = None, 0, 0
        self._udp, self._front, self._flows, self._dead = udp, None, {}, set()
        super().__init__(target, port)

    def cut(self, count):
        """Loses all connections once the server has sent so many bytes more, on any of them."""
        self._loop.call_soon_threadsafe(self._cut, count)

    def cut_first(self, connections, count):
        """Loses each of the first so many TCP connections once the server has sent so many bytes on it."""
        self._first, self._limit = connections, count

    def _cut(self, count):
        self._left = count
        self._count_sent(0)

    def _count_sent(self, count):
        if self._left is None:
            return
        self._left -= count
        if self._left > 0:
            return
        self._left = None
        self.cuts += 1
        self._dead |= set(self._flows)
        for connection in set(self.connections):
            connection.abort()

    # TCP

    def passing(self, chunk, connection):
        limits = [len(chunk)]
        if self._left is not None:
            limits.append(max(self._left, 0))
        if connection.number < self._first:
            limits.append(max(self._limit - connection.sent, 0))
        return chunk[:min(limits)]

    def passed(self, count, connection):
        self._count_sent(count)
        if connection.number < self._first and connection.sent >= self._limit:
            self.cuts += 1
            connection.abort()

    # UDP

    async def opened(self):
        if not self._udp:
            return
        relay = self

        class Front(asyncio.DatagramProtocol):
            def connection_made(self, transport):
                self.transport = transport

            def datagram_received(self, data, address):
                relay._from_client(self.transport, data, address)

        self._front, _ = await self._loop.create_datagram_endpoint(Front, local_addr=("127.0.0.1", self.port))

    def closed(self):
        for transport in [*self._flows.values(), self._front]:
            if transport is not None:
                transport.close()

    def _from_client(self, front, data, address):
        if address in self._dead:
            return
        if address in self._flows:
            self._flows[address].sendto(data)
        else:
            self._loop.create_task(self._open(front, data, address))

    async def _open(self, front, data, address):
        relay = self

        class Back(asyncio.DatagramProtocol):
            def datagram_received(self, data, _):
                if address not in relay._dead:
                    front.sendto(data, address)
                    relay._count_sent(len(data))

        flow, _ = await self._loop.create_datagram_endpoint(Back, remote_addr=("127.0.0.1", self.target))
        if address in self._flows:  # two datagrams at once
            self._flows[address].sendto(data)
            flow.close()
            return
        self._flows[address] = flow
        flow.sendto(data)
