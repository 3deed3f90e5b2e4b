"""A relay of TCP connections that cuts the first few of them in the middle of what the server says."""

import asyncio
import threading


class CuttingRelay:
    """Relays 127.0.0.1:port to 127.0.0.1:target in a thread; each of the first `cuts` connections breaks after `limit`
    bytes from the target, with a reset. The port is chosen by the system."""

    def __init__(self, target, cuts, limit):
        self.target, self.cuts, self.limit = target, cuts, limit
        self.port = None
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),), daemon=True)
        self._thread.start()
        self._ready.wait(10.0)

    def end(self):
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10.0)

    async def _serve(self):
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    async def _connected(self, reader, writer):
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        try:
            await asyncio.gather(self._up(reader, there_writer), self._down(there_reader, writer))
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.transport.abort()
            there_writer.transport.abort()

    @staticmethod
    async def _up(reader, writer):
        while chunk := await reader.read(65536):
            writer.write(chunk)
            await writer.drain()
        raise ConnectionError("closed by the client")

    async def _down(self, reader, writer):
        is_cut, left = self.cuts > 0, self.limit
        self.cuts -= is_cut
        while chunk := await reader.read(65536):
            writer.write(chunk[:left] if is_cut else chunk)
            await writer.drain()
            left -= len(chunk)
            if is_cut and left <= 0:
                raise ConnectionError("cut")
        writer.write_eof()
