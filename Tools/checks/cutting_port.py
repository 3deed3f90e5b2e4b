"""A port of 127.0.0.1 that hands TCP and UDP on to another, and loses connections in the middle of what the server says."""

import asyncio
import threading


class CuttingPort:
    """Relays 127.0.0.1:port to 127.0.0.1:target in a thread. After `cut(n)` all connections are lost once the server has sent
    n bytes more: TCP by a reset, UDP by silence, so that only a new connection helps."""

    def __init__(self, port, target):
        self.port, self.target, self.cuts = port, target, 0
        self._left, self._writers, self._flows, self._dead = None, set(), {}, set()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),), daemon=True)
        self._thread.start()
        if not self._ready.wait(10.0):
            raise OSError("the port cannot be had")

    def cut(self, count):
        self._loop.call_soon_threadsafe(self._cut, count)

    def end(self):
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10.0)

    def _cut(self, count):
        self._left = count
        self._count(0)

    def _count(self, sent):
        if self._left is None:
            return
        self._left -= sent
        if self._left > 0:
            return
        self._left = None
        self.cuts += 1
        self._dead |= set(self._flows)
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self):
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)
        port = self

        class Front(asyncio.DatagramProtocol):
            def connection_made(self, transport):
                self.transport = transport

            def datagram_received(self, data, address):
                port._from_client(self.transport, data, address)

        front, _ = await self._loop.create_datagram_endpoint(Front, local_addr=("127.0.0.1", self.port))
        self._ready.set()
        await self._stop.wait()
        server.close()
        front.close()
        for flow in self._flows.values():
            flow.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    # TCP

    async def _connected(self, reader, writer):
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, there_writer}
        try:
            await asyncio.gather(self._pump(reader, there_writer, False), self._pump(there_reader, writer, True))
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._writers -= {writer, there_writer}
            writer.transport.abort()
            there_writer.transport.abort()

    async def _pump(self, reader, writer, counts):
        while chunk := await reader.read(65536):
            writer.write(chunk if not counts or self._left is None else chunk[:max(self._left, 0)])
            await writer.drain()
            if counts:
                self._count(len(chunk))
        raise ConnectionError("closed")

    # UDP

    def _from_client(self, front, data, address):
        if address in self._dead:
            return
        if address in self._flows:
            self._flows[address].sendto(data)
        else:
            self._loop.create_task(self._open(front, data, address))

    async def _open(self, front, data, address):
        port = self

        class Back(asyncio.DatagramProtocol):
            def datagram_received(self, data, _):
                if address not in port._dead:
                    front.sendto(data, address)
                    port._count(len(data))

        flow, _ = await self._loop.create_datagram_endpoint(Back, remote_addr=("127.0.0.1", self.target))
        if address in self._flows:  # two datagrams at once
            self._flows[address].sendto(data)
            flow.close()
            return
        self._flows[address] = flow
        flow.sendto(data)
