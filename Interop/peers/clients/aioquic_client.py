"""One connection of aioquic's, with requests on it, for python_client.py."""

import asyncio
import os
import urllib.parse

from aioquic.asyncio.client import connect
from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ConnectionTerminated, StreamReset
from aioquic.quic.logger import QuicFileLogger
from aioquic.quic.packet import QuicProtocolVersion

TICKET_WAIT = 0.2  # seconds after an answer in which a session ticket may come


class Protocol(QuicConnectionProtocol):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.http, self.open = H3Connection(self._quic), {}

    def quic_event_received(self, event):
        if isinstance(event, ConnectionTerminated):
            for stream in list(self.open):
                self.finish(stream, ConnectionError("closed with %#x %s" % (event.error_code, event.reason_phrase)))
        elif isinstance(event, StreamReset):
            self.finish(event.stream_id, ConnectionError("reset with %#x" % event.error_code))
        for received in self.http.handle_event(event):
            entry = self.open.get(getattr(received, "stream_id", None))
            if entry is None:
                continue
            if isinstance(received, HeadersReceived):
                status = int(dict(received.headers).get(b":status", b"0"))
                entry["status"] = status if status >= 200 else entry["status"]
            elif isinstance(received, DataReceived) and received.data:
                entry["take"](received.data)
            if received.stream_ended:
                self.finish(received.stream_id, None)

    def finish(self, stream, failure):
        entry = self.open.pop(stream, None)
        if entry is None or entry["done"].done():
            return
        if failure:
            entry["done"].set_exception(failure)
        else:
            entry["done"].set_result(entry["status"])

    async def ask(self, method, parts, fields, body, take):
        stream = self._quic.get_next_available_stream_id()
        done = asyncio.get_running_loop().create_future()
        self.open[stream] = {"status": 0, "take": take, "done": done}
        path = (parts.path or "/") + ("?" + parts.query if parts.query else "")
        head = [(b":method", method.encode()), (b":scheme", b"https"), (b":authority", parts.netloc.encode()),
                (b":path", path.encode())]
        self.http.send_headers(stream, head + [(name.lower().encode(), value.encode()) for name, value in fields.items()],
                               end_stream=body is None)
        if body is not None:
            self.http.send_data(stream, body.encode(), end_stream=True)
        self.transmit()
        return await done


class Connection:
    """Made at the first request; with a ticket that request goes as early data."""

    def __init__(self, authority, tickets):
        self.tickets, self.context, self.protocol = tickets, None, None
        self.configuration = QuicConfiguration(is_client=True, alpn_protocols=H3_ALPN, idle_timeout=60.0)
        self.configuration.load_verify_locations(authority)
        if os.environ.get("SSLKEYLOGFILE"):
            self.configuration.secrets_log_file = open(os.environ["SSLKEYLOGFILE"], "a", encoding="ascii")
        if os.environ.get("QLOGDIR"):
            os.makedirs(os.environ["QLOGDIR"], exist_ok=True)
            self.configuration.quic_logger = QuicFileLogger(os.environ["QLOGDIR"])
        if os.environ.get("TESTCASE") == "v2":
            self.configuration.supported_versions = [QuicProtocolVersion.VERSION_2, QuicProtocolVersion.VERSION_1]
            self.configuration.original_version = QuicProtocolVersion.VERSION_1
        if os.environ.get("TESTCASE") == "chacha20":
            from aioquic.tls import CipherSuite

            self.configuration.cipher_suites = [CipherSuite.CHACHA20_POLY1305_SHA256]
        if tickets:
            self.configuration.session_ticket = tickets[-1]

    async def request_all(self, method, urls, fields, body, takes):
        """All at once; aioquic keeps back what the server allows no stream for yet. Answers the statuses."""
        all_parts = [urllib.parse.urlsplit(url) for url in urls]
        is_first = self.protocol is None
        if is_first:
            # Nothing is waited for with a ticket, or the requests would not be early.
            early = bool(self.configuration.session_ticket) and os.environ.get("TESTCASE") != "resumption"
            self.context = connect(
                all_parts[0].hostname, all_parts[0].port or 443, configuration=self.configuration,
                create_protocol=Protocol, session_ticket_handler=self.tickets.append, wait_connected=not early)
            self.protocol = await self.context.__aenter__()
        asked = [asyncio.ensure_future(self.protocol.ask(method, parts, fields, body, take))
                 for parts, take in zip(all_parts, takes)]
        # Once: a second update soon after the first is an error (RFC 9001 § 6.5).
        if is_first and os.environ.get("TESTCASE") == "keyupdate":
            await self.protocol.wait_connected()
            await asyncio.sleep(0.1)  # until the handshake is confirmed
            self.protocol.request_key_update()
        return await asyncio.gather(*asked)

    async def close(self):
        if self.context:
            await asyncio.sleep(TICKET_WAIT)
            await self.context.__aexit__(None, None, None)
