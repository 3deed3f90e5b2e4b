"""A client of the worker API, written from its contract alone: polls the stream and keeps what it read; for the checks in
this folder's parent."""

import http.client
import json
import ssl
import threading
import urllib.parse

ROOT = "/api/runtime/codex/workers"


class WorkerClient:
    """Calls over HTTP/1.1, a connection each."""

    def __init__(self, port, certificate, token, host="127.0.0.1"):
        self.port, self.certificate, self.token, self.host = port, certificate, token, host

    def connection(self, timeout=30.0):
        context = ssl.create_default_context(cafile=self.certificate)
        return http.client.HTTPSConnection(self.host, self.port, timeout=timeout, context=context)

    def path(self, worker, route=""):
        return "%s/%s%s" % (ROOT, urllib.parse.quote(worker, safe=""), route)

    def ask(self, method, path, body=None, fields=()):
        """The status and the JSON of an answer."""
        connection = self.connection()
        try:
            headers = {"authorization": "Bearer " + self.token, "content-type": "application/json", **dict(fields)}
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read() or b"null")
        finally:
            connection.close()

    def poll(self, worker, cursor, tail_ms=2000):
        """The events after a cursor, as one poll brings them."""
        connection = self.connection()
        try:
            connection.request("GET", self.path(worker, "/stream?cursor=%d&tail_ms=%d" % (cursor, tail_ms)),
                               headers={"authorization": "Bearer " + self.token, "accept": "text/event-stream"})
            response = connection.getresponse()
            if response.status != 200:
                raise ValueError("%d %s" % (response.status, response.read()[:200]))
            return list(self.events(response.read().decode()))
        finally:
            connection.close()

    @staticmethod
    def events(text):
        data, kind = [], None
        for line in text.split("\n"):
            name, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if line == "" or (name == "id" and data):
                if data and kind != "error":
                    yield json.loads("\n".join(data))
                data, kind = [], None
            if name == "data":
                data.append(value)
            elif name == "event":
                kind = value


class WorkerReader:
    """Reads a worker's log from its beginning until it is closed, whatever fails meanwhile."""

    def __init__(self, client, worker):
        self.client, self.worker, self.events, self.failures, self.is_wanted = client, worker, [], [], True
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    @property
    def cursor(self):
        return self.events[-1]["seq"] if self.events else 0

    def _run(self):
        pause = threading.Event()
        while self.is_wanted:
            try:
                for event in self.client.poll(self.worker, self.cursor, 1000):
                    if event["seq"] > self.cursor:
                        self.events.append(event)
            except (OSError, http.client.HTTPException, ValueError) as failure:
                self.failures.append(str(failure))
                pause.wait(0.2)

    def payloads(self, method):
        return [event["payload"] for event in list(self.events) if event["payload"].get("method") == method]

    def close(self):
        self.is_wanted = False
        self.thread.join(10.0)
