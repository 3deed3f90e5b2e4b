"""Speaks by libcurl: HTTP/3, HTTP/2 or HTTP/1.1, and nothing else in each case."""

import heapq
import itertools
import select
from time import monotonic_ns

import pycurl

# Newer than pycurl's names.
HTTP_1_1, HTTP_2_TLS, HTTP_3_ONLY = 2, 4, 31
VERSIONS = {"curl-h1": HTTP_1_1, "curl-h2": HTTP_2_TLS, "curl-h3": HTTP_3_ONLY}
NAMES = {"1.1": "h1", "2": "h2", "3": "h3"}
SECOND = 1_000_000_000  # nanoseconds
LONGEST_WAIT = 1.0  # seconds


HTTP_2_FEATURE, HTTP_3_FEATURE = 1 << 16, 1 << 25  # CURL_VERSION_HTTP2, CURL_VERSION_HTTP3


def software(arm):
    """Name and versions; an ImportError if this libcurl does not speak the arm's protocol."""
    wanted = {"curl-h2": HTTP_2_FEATURE, "curl-h3": HTTP_3_FEATURE}.get(arm, 0)
    if wanted and not pycurl.version_info()[4] & wanted:
        raise ImportError("libcurl %s was built without HTTP/%s" % (pycurl.version_info()[1], arm[-1]))
    return pycurl.version


class CurlArm:
    """A libcurl multi handle and its loop. All exchanges share a connection where the protocol can do that."""

    def __init__(self, arm, plan):
        self.plan, self.version = plan, VERSIONS[arm]
        self.spoken = arm.removeprefix("curl-")
        self.connected = None
        self.software = software(arm)
        self._multi = pycurl.CurlMulti()  # holds the connections too
        self._waiting = []  # asked for, perhaps from within a callback, where libcurl takes no new handles
        self._handles = {}
        self._new_connections = {}
        self._timers = []
        self._order = itertools.count()
        self._stopped = False

    @property
    def connections(self):
        return sum(self._new_connections.values()) + sum(
            handle.getinfo(pycurl.NUM_CONNECTS) for handle in self._handles)

    def made_connection(self, exchange):
        if exchange in self._new_connections:
            return self._new_connections[exchange] > 0
        return any(each is exchange and handle.getinfo(pycurl.NUM_CONNECTS) > 0
                   for handle, each in self._handles.items())

    def helper_seconds(self):
        return 0.0

    def request(self, exchange):
        self._waiting.append(exchange)

    def call_later(self, seconds, action):
        heapq.heappush(self._timers, (monotonic_ns() + round(seconds * SECOND), next(self._order), action))

    def stop(self):
        self._stopped = True

    def drop(self, exchange, reason):
        for handle in [handle for handle, each in self._handles.items() if each is exchange]:
            self._remove(handle, reason)

    def drop_all(self, reason):
        dropped = list(self._handles)
        multi, self._multi = self._multi, pycurl.CurlMulti()
        exchanges = [self._take(multi, handle) for handle in dropped]
        multi.close()
        for exchange in exchanges:
            exchange.over(reason)

    def run(self, make_conductor):
        conductor = make_conductor()
        conductor.begin()
        while not self._stopped:
            for exchange in self._take_waiting():
                self._add(exchange)
            while self._multi.perform()[0] == pycurl.E_CALL_MULTI_PERFORM:
                pass
            self._finish_handles()
            self._call_due()
            if not self._waiting and not self._stopped:
                self._wait()
        self._note_connected()
        return conductor

    def close(self):
        for handle in self._handles:
            self._multi.remove_handle(handle)
        self._multi.close()

    def _take_waiting(self):
        waiting, self._waiting = self._waiting, []
        return waiting

    def _add(self, exchange):
        handle = pycurl.Curl()
        handle.setopt(pycurl.URL, self.plan.origin + exchange.path)
        handle.setopt(pycurl.HTTP_VERSION, self.version)
        handle.setopt(pycurl.CAINFO, self.plan.authority_file)
        handle.unsetopt(pycurl.CAPATH)  # the system's authorities would be read anew for each connection
        handle.setopt(pycurl.SSL_VERIFYPEER, 1)
        handle.setopt(pycurl.SSL_VERIFYHOST, 2)
        handle.setopt(pycurl.SSL_SESSIONID_CACHE, 0)  # each connection is cold
        handle.setopt(pycurl.PIPEWAIT, 1)  # wait for the connection that is being made rather than make another
        handle.setopt(pycurl.TCP_NODELAY, 1)
        handle.setopt(pycurl.NOPROXY, "*")
        handle.setopt(pycurl.NOSIGNAL, 1)
        handle.setopt(pycurl.HTTPHEADER, ["%s: %s" % field for field in exchange.fields()])
        if exchange.body is not None:
            handle.setopt(pycurl.POSTFIELDS, exchange.body)

        def head(line):
            if line.startswith(b"HTTP/"):
                version, status = line.split(b" ", 2)[:2]
                if status[:1] != b"1":
                    self.spoken = NAMES.get(version[5:].decode(), self.spoken)
                    exchange.began(int(status))

        def body(chunk):
            return None if exchange.arrived(chunk) else 0

        handle.setopt(pycurl.HEADERFUNCTION, head)
        handle.setopt(pycurl.WRITEFUNCTION, body)
        self._handles[handle] = exchange
        self._multi.add_handle(handle)

    def _finish_handles(self):
        queued = 1
        while queued:
            queued, succeeded, failed = self._multi.info_read()
            for handle, reason in [(handle, None) for handle in succeeded] + [
                    (handle, "libcurl error %d: %s" % (code, text)) for handle, code, text in failed]:
                self._remove(handle, reason)

    def _remove(self, handle, reason):
        self._take(self._multi, handle).over(reason)

    def _take(self, multi, handle):
        """Takes a handle from its multi handle; answers whose it was."""
        self._note_connected()
        exchange = self._handles.pop(handle)
        self._new_connections[exchange] = handle.getinfo(pycurl.NUM_CONNECTS)
        multi.remove_handle(handle)
        return exchange

    def _note_connected(self):
        """libcurl reports how long the handshake took, from when it was given the request."""
        if self.connected is None:
            for handle, exchange in self._handles.items():
                if (seconds := handle.getinfo(pycurl.APPCONNECT_TIME)) > 0:
                    self.connected = exchange.requested + round(seconds * SECOND)
                    return

    def _call_due(self):
        while self._timers and self._timers[0][0] <= monotonic_ns():
            heapq.heappop(self._timers)[2]()

    def _wait(self):
        seconds = LONGEST_WAIT
        if self._timers:
            seconds = min(seconds, (self._timers[0][0] - monotonic_ns()) / SECOND)
        if (milliseconds := self._multi.timeout()) >= 0:
            seconds = min(seconds, milliseconds / 1000)
        # Not the multi handle's own select: it does not wait while libcurl has no descriptor.
        select.select(*self._multi.fdset(), max(0.0, seconds))
