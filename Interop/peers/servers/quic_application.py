"""content.py over one of two QUIC stacks that are libraries; HTTP/3 is aioquic's over both.

    quic_application.py aioquic|picoquic

Reads TESTCASE, ADDRESS, ADDRESS6, PORT, CERTIFICATE, PRIVATE_KEY, SSLKEYLOGFILE and QLOGDIR. picoquic listens on every
address of the machine, whatever it is given.
"""

import asyncio
import os
import sys

import aioquic.quic.events as quic_events
import content
from aioquic.h3.connection import H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.h3.exceptions import H3Error

VERSION_1, VERSION_2 = 0x00000001, 0x6B3343CF


class Application:
    """Mixed into either stack's protocol: requests in, answers out."""

    http = None

    def event(self, event):
        if self.http is None:
            if not isinstance(event, quic_events.ProtocolNegotiated):
                return
            self.http, self.requests, self.tasks = H3Connection(self._quic), {}, {}
        if isinstance(event, (quic_events.StreamReset, quic_events.StopSendingReceived)):
            self.end(event.stream_id)
        elif isinstance(event, quic_events.ConnectionTerminated):
            for stream in list(self.tasks):
                self.end(stream)
        for received in self.http.handle_event(event):
            if isinstance(received, HeadersReceived):
                self.requests.setdefault(received.stream_id, (received.headers, bytearray()))
            elif isinstance(received, DataReceived) and received.stream_id in self.requests:
                self.requests[received.stream_id][1].extend(received.data)
            if getattr(received, "stream_ended", False) and received.stream_id in self.requests:
                request = self.requests.pop(received.stream_id)
                self.tasks[received.stream_id] = asyncio.ensure_future(self.answer(received.stream_id, *request))

    def end(self, stream):
        task = self.tasks.pop(stream, None)
        if task:
            task.cancel()

    async def answer(self, stream, fields, body):
        pseudo = dict(fields)
        try:
            status, fields, chunks = await content.answer(pseudo[b":method"], pseudo[b":path"], fields, bytes(body))
            self.http.send_headers(stream, [(b":status", b"%d" % status), *fields])
            self.transmit()
            async for chunk in chunks:
                await self.send(stream, chunk, False)
            await self.send(stream, b"", True)
        except (H3Error, OSError, EOFError, ValueError) as failure:
            print("stream %d: %s" % (stream, failure), flush=True)
            self._quic.reset_stream(stream, 0x0102)  # H3_INTERNAL_ERROR
            self.transmit()
        finally:
            self.tasks.pop(stream, None)

    async def send(self, stream, chunk, ends):
        while True:
            try:
                self.http.send_data(stream, chunk, ends)
                break
            except BufferError:  # picoquic's binding keeps 4 MiB for a stream and no more
                await asyncio.sleep(0.005)
        self.transmit()
        await asyncio.sleep(0)  # the others' turn


def versions():
    """Version 2 first where that is asked for: a client that lists it is moved to it (RFC 9368)."""
    return [VERSION_2, VERSION_1] if os.environ["TESTCASE"] == "v2" else [VERSION_1, VERSION_2]


async def serve_aioquic(address, port):
    from aioquic.asyncio import QuicConnectionProtocol, serve
    from aioquic.quic.configuration import QuicConfiguration
    from aioquic.quic.logger import QuicFileLogger

    class Protocol(Application, QuicConnectionProtocol):
        def quic_event_received(self, event):
            self.event(event)

    configuration = QuicConfiguration(is_client=False, alpn_protocols=["h3"], idle_timeout=60.0)
    configuration.load_cert_chain(os.environ["CERTIFICATE"], os.environ["PRIVATE_KEY"])
    configuration.supported_versions = versions()
    if os.environ.get("SSLKEYLOGFILE"):
        configuration.secrets_log_file = open(os.environ["SSLKEYLOGFILE"], "a", encoding="ascii")
    if os.environ.get("QLOGDIR"):
        os.makedirs(os.environ["QLOGDIR"], exist_ok=True)
        configuration.quic_logger = QuicFileLogger(os.environ["QLOGDIR"])
    tickets = {}
    await serve(
        address, port, configuration=configuration, create_protocol=Protocol,
        retry=os.environ["TESTCASE"] == "retry", session_ticket_fetcher=tickets.get,
        session_ticket_handler=lambda ticket: tickets.update({ticket.ticket: ticket}))


async def serve_picoquic(address, port):
    import aiopquic.quic.events as native
    from aiopquic.asyncio import QuicConnectionProtocol, serve
    from aiopquic.quic.configuration import QuicConfiguration

    configuration = QuicConfiguration(
        is_client=False, alpn_protocols=["h3"], idle_timeout=60.0,
        secrets_log_file=os.environ.get("SSLKEYLOGFILE"), qlog_dir=os.environ.get("QLOGDIR"))
    configuration.load_cert_chain(os.environ["CERTIFICATE"], os.environ["PRIVATE_KEY"])
    configuration.supported_versions = versions()
    configuration.quic_logger = None

    class Connection:
        """What aioquic's HTTP/3 wants of a QUIC connection, over picoquic's."""

        _quic_logger, _is_client = None, False
        # aioquic refuses a client that sets H3_DATAGRAM while this parameter, which the binding hides, is not seen.
        _remote_max_datagram_frame_size = 65_535

        def __init__(self, connection):
            self.connection, self.configuration = connection, configuration

        def __getattr__(self, name):
            return getattr(self.connection, name)

        def send_stream_data(self, stream_id, data, end_stream=False):
            self.connection.send_stream_data(stream_id, bytes(data), end_stream)

        def close(self, error_code=0, frame_type=None, reason_phrase=""):
            self.connection.close(error_code)

    class Protocol(Application, QuicConnectionProtocol):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            self._quic = Connection(self._quic)

        def transmit(self):
            pass  # picoquic's thread sends by itself

        def quic_event_received(self, event):
            if self.http is None and isinstance(
                    event, (native.HandshakeCompleted, native.ProtocolNegotiated, native.StreamDataReceived)):
                self.event(quic_events.ProtocolNegotiated(alpn_protocol="h3"))
            if isinstance(event, native.StreamDataReceived):
                self.event(quic_events.StreamDataReceived(
                    data=bytes(event.data), end_stream=event.end_stream, stream_id=event.stream_id))
            elif isinstance(event, native.StreamReset):
                self.event(quic_events.StreamReset(error_code=event.error_code, stream_id=event.stream_id))
            elif isinstance(event, native.StopSendingReceived):
                self.event(quic_events.StopSendingReceived(error_code=event.error_code, stream_id=event.stream_id))
            elif isinstance(event, native.ConnectionTerminated):
                self.event(quic_events.ConnectionTerminated(
                    error_code=event.error_code, frame_type=0, reason_phrase=""))

    await serve(address, port, configuration=configuration, create_protocol=Protocol,
                retry=os.environ["TESTCASE"] == "retry")


async def main():
    port = int(os.environ["PORT"])
    if sys.argv[1] == "picoquic":
        await serve_picoquic("0.0.0.0", port)
    else:
        for address in filter(None, (os.environ["ADDRESS"], os.environ["ADDRESS6"])):
            await serve_aioquic(address, port)
    await asyncio.Event().wait()


asyncio.run(main())
