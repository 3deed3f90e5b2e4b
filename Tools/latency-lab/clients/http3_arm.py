"""HTTP/3 by aioquic: a slow client, written in Python."""

import asyncio
import copy
import logging
import platform
import socket

import aioquic
from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.events import ConnectionTerminated, HandshakeCompleted, StreamReset

from async_arm import AsyncArm, Connection

REQUEST_CANCELLED = 0x10C  # RFC 9114 § 8.1
NO_ERROR = 0x100
WINDOW = 16 << 20  # as the HTTP/2 client's

# What goes wrong is in the record; aioquic would write it to standard error too.
logging.getLogger("quic").setLevel(logging.CRITICAL)


def software(_):
    return "aioquic %s, Python %s" % (aioquic.__version__, platform.python_version())


class Protocol(QuicConnectionProtocol):
    """Hands aioquic's events to the connection that they belong to."""

    def __init__(self, quic, owner):
        super().__init__(quic)
        self.quic, self._owner = quic, owner

    def quic_event_received(self, event):
        self._owner.take(event)

    def transmit(self):
        # aioquic's timers continue after a socket is closed.
        if not self._transport.is_closing():
            super().transmit()


class HTTP3Connection(Connection):
    def __init__(self, arm):
        super().__init__(arm)
        self._protocol = self._http = self._transport = None

    async def open(self):
        connection = QuicConnection(configuration=copy.copy(self.arm.configuration))
        self._transport, self._protocol = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: Protocol(connection, self), family=self.arm.family,
            local_addr=("::" if self.arm.family == socket.AF_INET6 else "0.0.0.0", 0))
        self._protocol.connect(self.arm.address)

    def take(self, event):
        if isinstance(event, HandshakeCompleted):
            self._http = H3Connection(self._protocol.quic)
            self.opened()
        elif isinstance(event, StreamReset):
            self.finished(event.stream_id, "the stream was reset, code %d" % event.error_code)
        elif isinstance(event, ConnectionTerminated):
            self.lost("the connection was closed, code %d: %s" % (event.error_code, event.reason_phrase))
            self._transport.close()
        if self._http is None:
            return
        for part in self._http.handle_event(event):
            if isinstance(part, DataReceived):
                self.data(part.stream_id, part.data)
            elif isinstance(part, HeadersReceived):
                self.head(part.stream_id, part.headers)
            if getattr(part, "stream_ended", False):
                self.finished(part.stream_id)

    def send(self, exchange):
        identifier = self._protocol.quic.get_next_available_stream_id()
        self._http.send_headers(identifier, self.arm.request_fields(exchange), end_stream=exchange.body is None)
        if exchange.body is not None:
            self._http.send_data(identifier, exchange.body, end_stream=True)
        return identifier

    def drop(self, identifier):
        self._protocol.quic.stop_stream(identifier, REQUEST_CANCELLED)

    def flush(self):
        self._protocol.transmit()

    def close(self):
        if self._protocol is not None:
            self._protocol.close(error_code=NO_ERROR)
            self._transport.close()


class HTTP3Arm(AsyncArm):
    spoken = "h3"

    def __init__(self, arm, plan):
        super().__init__(plan, software(arm))
        # A plan names its origin by number, so this asks nobody.
        self.family, _, _, _, self.address = socket.getaddrinfo(plan.host, plan.port, type=socket.SOCK_DGRAM)[0]
        self.configuration = QuicConfiguration(
            is_client=True, alpn_protocols=H3_ALPN, server_name=plan.host, max_data=WINDOW, max_stream_data=WINDOW)
        self.configuration.load_verify_locations(cafile=plan.authority_file)

    def make_connection(self):
        return HTTP3Connection(self)
