"""A relay of TCP connections on 127.0.0.1, in a thread; as a program it relays 127.0.0.1:FROM to 127.0.0.1:TO.

    python3 Tools/checks/relay.py FROM TO     # the port FROM then has a TCP listener and no UDP one
"""

import asyncio
import ssl
import sys
import threading


class Connection:
    """One relayed connection: its number from 0, and the bytes that the target has sent on it."""

    def __init__(self, number, client, target):
        self.number, self.sent, self._writers = number, 0, (client, target)

    def abort(self):
        """Closes both sides at once."""
        for writer in self._writers:
            writer.transport.abort()


class Relay:
    """Relays 127.0.0.1:port to 127.0.0.1:target. A side that ends its stream closes the other one.

    Port 0 is chosen by the system. With `authority`, a file of certificates, the target is reached over TLS, as HTTP/1.1.
    """

    def __init__(self, target, port=0, authority=None):
        self.target, self.port, self.connections = target, port, set()
        self._tls, self._count = None, 0
        if authority is not None:
            self._tls = ssl.create_default_context(cafile=authority)
            self._tls.set_alpn_protocols(["http/1.1"])
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),), daemon=True)
        self._thread.start()
        if not self._ready.wait(10.0):
            raise OSError("port %d cannot be listened on" % port)

    def end(self):
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10.0)

    # For subclasses; called in the thread.

    def passing(self, chunk, connection):
        """The part of the target's bytes that the client gets."""
        return chunk

    def passed(self, count, connection):
        """Called after so many of the target's bytes."""

    async def opened(self):
        """Called once the port is listened on."""

    def closed(self):
        """Called when the relay ends."""

    # The thread.

    async def _serve(self):
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)
        self.port = server.sockets[0].getsockname()[1]
        await self.opened()
        self._ready.set()
        await self._stop.wait()
        server.close()
        self.closed()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _connected(self, reader, writer):
        try:
            there = await asyncio.open_connection(
                "127.0.0.1", self.target, ssl=self._tls, server_hostname="localhost" if self._tls else None)
        except OSError:
            writer.transport.abort()
            return
        connection = Connection(self._count, writer, there[1])
        self._count += 1
        self.connections.add(connection)
        try:
            await asyncio.gather(self._pump(reader, there[1], None), self._pump(there[0], writer, connection))
        except asyncio.CancelledError:
            connection.abort()
        finally:
            self.connections.discard(connection)

    async def _pump(self, reader, writer, connection):
        """`connection` is None for what the client sends."""
        try:
            while chunk := await reader.read(65536):
                writer.write(chunk if connection is None else self.passing(chunk, connection))
                await writer.drain()
                if connection is not None:
                    connection.sent += len(chunk)
                    self.passed(len(chunk), connection)
        except OSError:
            pass
        finally:
            writer.close()


if __name__ == "__main__":
    relay = Relay(int(sys.argv[2]), int(sys.argv[1]))
    print("listening", flush=True)
    threading.Event().wait()
