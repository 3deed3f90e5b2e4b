"""A relay on 127.0.0.1 that hands each chunk on at once, over TLS if need be, and keeps what came back with its moment."""

import asyncio
import ssl
import threading
import time


class RecordingRelay:
    """Listens at `port`; `recorded` are the (seconds of the monotonic clock, bytes) that the target has sent."""

    def __init__(self, target_port, authority=None):
        """With `authority`, a file of certificates, the target is met over TLS, as HTTP/1.1."""
        self.target, self.recorded, self.tls = target_port, [], None
        if authority is not None:
            self.tls = ssl.create_default_context(cafile=authority)
            self.tls.set_alpn_protocols(["http/1.1"])
        started = threading.Event()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self.thread.start()
        started.wait()

    def take(self):
        """What was recorded since the last time."""
        recorded, self.recorded = self.recorded, []
        return recorded

    def end(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(2.0)

    def _run(self, started):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self._connected, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        self.loop.run_forever()

    async def _connected(self, reader, writer):
        try:
            there = await asyncio.open_connection(
                "127.0.0.1", self.target, ssl=self.tls, server_hostname="localhost" if self.tls else None)
        except OSError:
            writer.close()
            return
        await asyncio.gather(self._pump(reader, there[1], None), self._pump(there[0], writer, self))

    @staticmethod
    async def _pump(reader, writer, recorder):
        try:
            while chunk := await reader.read(65536):
                if recorder is not None:
                    recorder.recorded.append((time.monotonic(), chunk))
                writer.write(chunk)
                await writer.drain()
        except (ConnectionError, ssl.SSLError):
            pass
        finally:
            writer.close()
