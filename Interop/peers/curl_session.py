"""One session of the agent contract over HTTP/3 by libcurl; see curl-session beside this file, which starts it.

All requests share one connection, so the event stream runs beside the requests that feed it.
"""

import json
import platform
import sys
import time
import uuid

import pycurl

HTTP_3_ONLY = 31  # CURL_HTTP_VERSION_3ONLY: no fall-back that would hide a failure
HTTP_3 = 30  # CURL_HTTP_VERSION_3
INFO_HTTP_VERSION = 0x200000 + 46  # CURLINFO_HTTP_VERSION, newer than pycurl's names
PIPEWAIT = 237  # CURLOPT_PIPEWAIT: wait for the connection that is being made, so that there is one
TIME_LIMIT = 60.0  # seconds for the whole session

FUNCTION = {
    "name": "get_local_time",
    "description": "Tells the current local time of this computer.",
    "parameters_schema": {"type": "object", "properties": {}, "required": []},
    "timeout_seconds": 30,
    "requires_approval": False,
}


class Failure(Exception):
    """Something that a session must not show; the message says what."""


class Events:
    """Cuts an event stream's bytes into (id, type, data); only what the contract's writer makes, not all of the standard."""

    def __init__(self):
        self.rest = b""

    def feed(self, chunk):
        self.rest += chunk
        *blocks, self.rest = self.rest.split(b"\n\n")
        for block in blocks:
            fields = {"data": []}
            for line in block.decode().split("\n"):
                name, _, value = line.partition(":")
                value = value.removeprefix(" ")
                if name == "data":
                    fields["data"].append(value)
                elif name:
                    fields[name] = value
            if fields["data"]:
                yield fields.get("id", ""), fields.get("event", "message"), "\n".join(fields["data"])
            else:
                yield "", "comment", ""


class Session:
    def __init__(self, url, authority, key):
        self.url, self.authority, self.key = url.rstrip("/"), authority, key
        self.multi = pycurl.CurlMulti()
        self.began = time.monotonic()
        self.finished = []
        self.capability = None

    def log(self, *words):
        print("%7.3f" % (time.monotonic() - self.began), *words, flush=True)

    def handle(self, method, path, body=None, on_bytes=None, accept="application/json"):
        curl = pycurl.Curl()
        curl.setopt(curl.URL, self.url + path)
        curl.setopt(curl.HTTP_VERSION, HTTP_3_ONLY)
        curl.setopt(curl.CAINFO, self.authority)
        curl.setopt(PIPEWAIT, 1)
        fields = ["Accept: " + accept, "Authorization: Bearer " + self.key, "x-request-id: " + str(uuid.uuid4())]
        if self.capability:
            fields.append("X-Resolvekit-Chat-Capability: " + self.capability)
        if body is not None:
            fields.append("Content-Type: application/json")
            curl.setopt(curl.POSTFIELDS, json.dumps(body))
        curl.setopt(curl.CUSTOMREQUEST, method)
        curl.setopt(curl.HTTPHEADER, fields)
        received = []
        curl.setopt(curl.WRITEFUNCTION, on_bytes or received.append)
        self.multi.add_handle(curl)
        return curl, received

    def turn_the_crank(self):
        """Moves bytes for a moment; answers the handles that are done."""
        if time.monotonic() - self.began > TIME_LIMIT:
            raise Failure("the session did not end within %g s" % TIME_LIMIT)
        while self.multi.perform()[0] == pycurl.E_CALL_MULTI_PERFORM:
            pass
        _, succeeded, failed = self.multi.info_read()
        for curl, code, message in failed:
            raise Failure("libcurl error %d: %s" % (code, message))
        self.finished += succeeded
        if not succeeded:
            self.multi.select(0.05)

    def request(self, method, path, body=None, expect=200):
        curl, received = self.handle(method, path, body)
        while curl not in self.finished:
            self.turn_the_crank()
        self.finished.remove(curl)
        self.multi.remove_handle(curl)
        status, version = curl.getinfo(curl.RESPONSE_CODE), curl.getinfo(INFO_HTTP_VERSION)
        content = b"".join(received)
        self.log(method, path.split("?")[0], status, "HTTP/3" if version == HTTP_3 else "version %d" % version,
                 "%d bytes" % len(content))
        if version != HTTP_3:
            raise Failure("the answer did not come over HTTP/3")
        if status != expect:
            raise Failure("%s %s: status %d where %d is due: %s" % (method, path, status, expect, content[:500]))
        return json.loads(content)

    def tool_result(self, path, event):
        call = event["payload"]
        answer = self.request("POST", path + "/tool-results", {
            "turn_id": event["turn_id"], "call_id": call["call_id"], "idempotency_key": call["call_id"],
            "status": "success", "result": {"local_time": time.strftime("%Y-%m-%dT%H:%M:%S%z")},
        })
        if answer.get("status") != "ok":
            raise Failure("the tool's result was not taken: %s" % answer)

    def run(self, prompt):
        if self.request("GET", "/health").get("status") != "ok":
            raise Failure("/health does not say ok")
        self.request("GET", "/v1/sdk/compat")
        self.request("PUT", "/v1/functions/bulk", {"functions": [FUNCTION]})
        session = self.request("POST", "/v1/sessions", {
            "available_function_names": [FUNCTION["name"]],
            "device_id": "curl-session-" + str(uuid.uuid4()),
            "client": {"platform": "linux", "os_name": "Linux", "os_version": platform.release()[:64],
                       "sdk_name": "libcurl", "sdk_version": "1.0.0", "app_version": "1.0.0"},
        }, expect=201)
        self.capability = session["chat_capability_token"]
        path = "/v1/sessions/" + session["id"]

        parser, waiting = Events(), []
        stream, _ = self.handle("GET", session["events_url"], accept="text/event-stream",
                                on_bytes=lambda chunk: waiting.extend(parser.feed(chunk)))
        while not waiting:  # the first comment: the stream is open
            self.turn_the_crank()
        self.log("GET", session["events_url"], stream.getinfo(stream.RESPONSE_CODE), "open")

        accepted = self.request("POST", path + "/messages", {"text": prompt, "request_id": str(uuid.uuid4())}, expect=202)
        text, tools, seen = self.follow(path, accepted["turn_id"], parser, waiting, stream)
        self.multi.remove_handle(stream)

        history = self.request("GET", path + "/messages")
        answers = [message["content"] for message in history if message["role"] == "assistant"]
        if text not in answers:
            raise Failure("the history does not hold the answer that was streamed")
        self.log("done: %d events, %d tool calls, %d characters" % (seen, tools, len(text)))

    def follow(self, path, turn, parser, waiting, stream):
        """Reads events up to the turn's end; answers its text and counts."""
        streamed, identifiers, tools = "", set(), 0
        while True:
            while not waiting:
                self.turn_the_crank()
                if stream in self.finished:
                    raise Failure("the event stream ended before the turn")
            identifier, kind, data = waiting.pop(0)
            if kind == "comment":
                continue
            event = json.loads(data)
            if identifier in identifiers:
                raise Failure("event %s came twice" % identifier)
            identifiers.add(identifier)
            if event["type"] != kind or event["event_id"] != identifier:
                raise Failure("the envelope %s %s is not the block's %s %s"
                              % (event["event_id"], event["type"], identifier, kind))
            shown = event["payload"].get("delta", event["payload"])
            self.log("event", identifier, kind, json.dumps(shown, ensure_ascii=False)[:160])
            if event["turn_id"] != turn:
                continue
            if kind == "assistant_text_delta":
                streamed += event["payload"]["delta"]
            elif kind == "tool_call_request":
                tools += 1
                self.tool_result(path, event)
            elif kind == "turn_complete":
                full = event["payload"]["full_text"]
                if streamed != full:
                    raise Failure("the deltas do not add up to the full text:\n%r\n%r" % (streamed, full))
                return full, tools, len(identifiers)
            elif kind == "error":
                raise Failure("the turn failed: %s" % event["payload"])


def main():
    url, authority, key_file = sys.argv[1:4]
    prompt = " ".join(sys.argv[4:]) or "what time is it?"
    with open(key_file, encoding="ascii") as file:
        key = file.read().strip()
    print(pycurl.version, flush=True)
    try:
        Session(url, authority, key).run(prompt)
    except (Failure, KeyError, ValueError, pycurl.error) as failure:
        print("curl-session: %s: %s" % (type(failure).__name__, failure), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
