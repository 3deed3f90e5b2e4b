"""aioquic (QUIC and HTTP/3 in Python, with a little C): download URL CA | upload URL CA BYTES | events URL CA.

Prints one JSON object, as libcurl_client.py does.
"""

import asyncio
import json
import resource
import ssl
import sys
import time
from urllib.parse import urlsplit

from aioquic.asyncio import QuicConnectionProtocol, connect
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration


def usage():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime, used.ru_nvcsw + used.ru_nivcsw


class Client(QuicConnectionProtocol):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.http = H3Connection(self._quic)
        self.done = asyncio.get_running_loop().create_future()
        self.count, self.rest, self.delays, self.first, self.keeps = 0, b"", [], None, False

    def quic_event_received(self, event):
        now = time.monotonic_ns()
        for http_event in self.http.handle_event(event):
            if isinstance(http_event, DataReceived):
                self.count += len(http_event.data)
                if self.keeps:
                    self.read(http_event.data, now)
            ended = isinstance(http_event, (DataReceived, HeadersReceived)) and http_event.stream_ended
            if ended and not self.done.done():
                self.done.set_result(None)

    def read(self, data, now):
        if self.first is None:
            self.first = usage()
        *blocks, self.rest = (self.rest + data).split(b"\n\n")
        for block in blocks:
            if block.startswith(b"data: "):
                self.delays.append(now - int(block[6:].split(b" ", 1)[0]))


async def main():
    mode, url, authority = sys.argv[1:4]
    parts = urlsplit(url)
    configuration = QuicConfiguration(is_client=True, alpn_protocols=H3_ALPN, server_name="localhost",
                                      idle_timeout=10.0)
    configuration.load_verify_locations(cafile=authority)
    configuration.verify_mode = ssl.CERT_REQUIRED
    async with connect(parts.hostname, parts.port, configuration=configuration, create_protocol=Client) as client:
        client.keeps = mode == "events"
        before, began = usage(), time.monotonic()
        stream = client._quic.get_next_available_stream_id()
        method = b"POST" if mode == "upload" else b"GET"
        fields = [(b":method", method), (b":scheme", b"https"), (b":authority", parts.netloc.encode()),
                  (b":path", parts.path.encode())]
        client.http.send_headers(stream, fields, end_stream=mode != "upload")
        if mode == "upload":
            client.http.send_data(stream, bytes(int(sys.argv[4])), end_stream=True)
        client.transmit()
        await client.done
        wall, after = time.monotonic() - began, usage()
        if mode == "events":
            print(json.dumps({"delays_ns": client.delays, "cpu_s": after[0] - client.first[0],
                              "switches": after[1] - client.first[1]}))
        else:
            print(json.dumps({"wall_s": wall, "cpu_s": after[0] - before[0], "switches": after[1] - before[1]}))


asyncio.run(main())
