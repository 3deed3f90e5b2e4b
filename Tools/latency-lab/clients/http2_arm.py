"""HTTP/2 by the h2 package, over TLS of Python's ssl module: a slow client, written in Python."""

import asyncio
import platform
import ssl

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import h2.settings

from async_arm import AsyncArm, Broken, Connection

# Large enough that no download waits for a window: the path's bandwidth and delay are what is measured.
WINDOW = 16 << 20
DEFAULT_WINDOW = 65_535  # RFC 9113 § 6.9.2


def software(_):
    return "h2 %s, Python %s, %s" % (h2.__version__, platform.python_version(), ssl.OPENSSL_VERSION)


class HTTP2Connection(Connection, asyncio.Protocol):
    def __init__(self, arm):
        super().__init__(arm)
        self._transport = None
        self._http = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True, header_encoding=None))

    async def open(self):
        # asyncio sets TCP_NODELAY by itself.
        await asyncio.get_running_loop().create_connection(
            lambda: self, self.arm.plan.host, self.arm.plan.port, ssl=self.arm.tls,
            server_hostname=self.arm.plan.host)

    def connection_made(self, transport):
        if transport.get_extra_info("ssl_object").selected_alpn_protocol() != "h2":
            transport.abort()
            self.lost("the server does not speak HTTP/2")
            return
        self._transport = transport
        self._http.initiate_connection()
        self._http.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: WINDOW,
                                    h2.settings.SettingCodes.ENABLE_PUSH: 0})
        self._http.increment_flow_control_window(WINDOW - DEFAULT_WINDOW)
        # The preface, the settings and the requests that waited leave in one piece.
        self.opened()

    def connection_lost(self, error):
        self.lost("the connection was lost: %s" % (error or "closed by the server"))

    def send(self, exchange):
        try:
            identifier = self._http.get_next_available_stream_id()
            self._http.send_headers(identifier, self.arm.request_fields(exchange), end_stream=exchange.body is None)
            if exchange.body is not None:
                self._http.send_data(identifier, exchange.body, end_stream=True)
        except h2.exceptions.ProtocolError as error:
            raise Broken("%s: %s" % (type(error).__name__, error)) from None
        return identifier

    def drop(self, identifier):
        try:
            self._http.reset_stream(identifier, error_code=8)  # CANCEL
        except h2.exceptions.ProtocolError:
            pass  # it is over already

    def flush(self):
        if self._transport is not None and (data := self._http.data_to_send()):
            self._transport.write(data)

    def data_received(self, data):
        try:
            for event in self._http.receive_data(data):
                self._take(event)
        except h2.exceptions.ProtocolError as error:
            self.lost("HTTP/2: %s: %s" % (type(error).__name__, error))
            self.flush()
            self._transport.close()
            return
        self.flush()

    def _take(self, event):
        if isinstance(event, h2.events.DataReceived):
            if event.flow_controlled_length:
                self._http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            self.data(event.stream_id, event.data)
        elif isinstance(event, h2.events.ResponseReceived):
            self.head(event.stream_id, event.headers)
        elif isinstance(event, h2.events.StreamEnded):
            self.finished(event.stream_id)
        elif isinstance(event, h2.events.StreamReset):
            self.finished(event.stream_id, "the stream was reset, code %d" % event.error_code)
        elif isinstance(event, h2.events.ConnectionTerminated):
            self.lost("the server closed the connection, code %d" % event.error_code)

    def close(self):
        if self._transport is not None:
            try:
                self._http.close_connection()
            except h2.exceptions.ProtocolError:
                pass  # it is over already
            self.flush()
            self._transport.close()


class HTTP2Arm(AsyncArm):
    spoken = "h2"

    def __init__(self, arm, plan):
        super().__init__(plan, software(arm))
        self.tls = ssl.create_default_context(cafile=plan.authority_file)
        self.tls.set_alpn_protocols(["h2"])

    def make_connection(self):
        return HTTP2Connection(self)
