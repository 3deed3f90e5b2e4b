"""Attackers against a companion that runs: what they get, and that its memory and its other clients withstand it."""

import http.client
import json
import os
import socket
import struct
import threading
import time
import urllib.parse

from companion import LIMIT, Refused, wait_until
from programs import CheckFailed, demand

PAIRING_REQUESTS = 10_000
IDLE_CONNECTIONS = 300
SLOW_CONNECTIONS = 60
GROWTH = 64 << 10  # KiB of resident memory that all of it may cost together
TRAVERSALS = [
    "..", "../../../../etc/passwd", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "..%5c..%5cetc", "%00", "a%00b", "%0d%0ax: y", "-", "--help",
    "%ff%fe", "a/../b", "~root", "x" * 3000]
BRANCHES = ["--orphan", "-f", "-", "--upload-pack=touch x", "refs/heads/../../x", "a b", "main:x", "@{-1}", "HEAD~1", "\x00", "x" * 3000]
GRANTED = (200, 201, 202)


def resident(machine):
    """The companion's resident memory in KiB."""
    with open("/proc/%d/status" % machine.companion.process.pid, encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def served(device):
    """Others are still served, and soon."""
    began = time.monotonic()
    device.ask("GET", "/v1/chats")
    demand(time.monotonic() - began < LIMIT / 2, "a request took %.1f s under attack" % (time.monotonic() - began))


def raw(device, timeout=LIMIT):
    """A TLS connection of HTTP/1.1, or of what `protocols` has."""
    connection = device.connection(timeout)
    connection.connect()
    return connection.sock


def status_of(stream):
    line = stream.readline().split()
    return int(line[1]) if len(line) > 1 else 0


def refused(device, method, path, body=None, fields=(), allowed=(400, 404, 405, 410, 414, 429, 431)):
    """A request that must be neither granted nor an internal error."""
    try:
        answer = device.ask(method, path, body, fields)
    except Refused as refusal:
        demand(refusal.status in allowed, "%s %.80s: %s" % (method, path, refusal))
        return
    except (http.client.HTTPException, ValueError, OSError):
        return  # the connection was closed, or what cannot be sent was not
    raise CheckFailed("%s %.80s was granted: %.200s" % (method, path, answer))


def pairing_flood(machine, device):
    counts, lock = {}, threading.Lock()

    def ask(number):
        connection = device.connection()
        for _ in range(number):
            connection.request("POST", "/v1/pairing/request", "{}", {"content-type": "application/json"})
            response = connection.getresponse()
            response.read()
            with lock:
                counts[response.status] = counts.get(response.status, 0) + 1
        connection.close()
    threads = [threading.Thread(target=ask, args=(PAIRING_REQUESTS // 8,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    demand(set(counts) <= {200, 429} and sum(counts.values()) == PAIRING_REQUESTS, "pairing requests: %s" % counts)
    demand(counts.get(200, 0) <= 40, "%d of %d pairing requests were granted" % (counts.get(200, 0), PAIRING_REQUESTS))
    # The person at the workstation is not kept from pairing by it.
    demand("codexremote://" in machine.command("pair"), "the flood keeps the host from pairing")
    served(device)
    return counts


def tokens(machine, device, chat):
    routes = [
        ("GET", "/v1/chats"), ("POST", "/v1/chats"), ("GET", "/v1/projects"), ("GET", "/v1/stream?chatId=" + chat),
        ("PATCH", "/v1/runtime/config"), ("POST", "/v1/pairing/revoke"), ("POST", "/v1/approvals/x"),
        ("GET", "/v1/projects/x/context"), ("GET", "/v1/projects/x/git/branches"), ("GET", "/v1/projects/x/git/diff"),
        ("POST", "/v1/projects/x/git/checkout"), ("POST", "/v1/projects/x/git/commit"),
    ] + [("GET", "/v1/chats/%s/%s" % (chat, name)) for name in
         ("messages", "timeline", "run-state", "pending-approval", "pending-approvals")
         ] + [("POST", "/v1/chats/%s/%s" % (chat, name)) for name in ("messages", "activate", "steer", "stop")]
    stranger = type(device)(machine)
    other = "".join("%02x" % byte for byte in os.urandom(32))
    for method, path in routes:
        for token in (None, other, device.token[:-1], device.token + "0", device.token.upper() + "g"):
            stranger.token = token
            stranger.expect(401, method, path, {} if method != "GET" else None)
    for field in ("Basic " + device.token, "Bearer", "Bearer  ", device.token, "Bearer " + "a" * 5000):
        stranger.token = None
        stranger.expect(401, "GET", "/v1/chats", fields={"authorization": field})
    revoked = machine.pair("stolen")
    machine.command("devices", "revoke", revoked.id)
    for method, path in routes:
        revoked.expect(401, method, path, {} if method != "GET" else None)
    return len(routes)


def traversal(machine, device, chat, project):
    for name in TRAVERSALS:
        for route in ("messages", "timeline", "run-state", "pending-approval"):
            refused(device, "GET", "/v1/chats/%s/%s" % (name, route))
        for route in ("messages", "activate", "stop"):
            refused(device, "POST", "/v1/chats/%s/%s" % (name, route), {"text": "x"})
        refused(device, "POST", "/v1/approvals/" + name, {"decision": "approve"})
        refused(device, "GET", "/v1/projects/%s/context" % name)
        refused(device, "GET", "/v1/stream?chatId=" + name)
        if name != "-":
            refused(device, "GET", "/v1/stream?chatId=%s&cursor=%s" % (chat, name))
            refused(device, "GET", "/v1/chats/%s/timeline?before=%s" % (chat, name))
    for name in TRAVERSALS[:5] + ["/etc/passwd", ".git/config", "a.txt/../../../x", ":(top)..", ":!x"]:
        try:
            diff = device.data("GET", "/v1/projects/%s/git/diff?path=%s" % (project, urllib.parse.quote(name)))
        except Refused as refusal:
            demand(refusal.status in (400, 404), "diff of %r: %s" % (name, refusal))
        else:
            demand("root:" not in diff["text"], "diff of %r shows %r" % (name, diff["text"][:200]))
    for branch in BRANCHES:
        refused(device, "POST", "/v1/projects/%s/git/checkout" % project, {"branch": branch})
    for folder in ("/etc", "..", "", "/", machine.project + "/..", machine.project + "/../../etc", 7, ["x"]):
        refused(device, "POST", "/v1/chats", {"cwd": folder} if folder != "" else {"cwd": " "})
    refused(device, "POST", "/v1/pairing/revoke", {"deviceId": 7})
    for body in ("[", "[]", "7", '"x"', "{" * 5000, '{"text":' + "[" * 100_000, "\xff", "x" * 70_000):
        connection = device.connection()
        connection.request("POST", "/v1/chats", body.encode("latin-1"), device.fields())
        response = connection.getresponse()
        demand(400 <= response.status < 500, "a body %.20r is answered with %d" % (body, response.status))
        connection.close()
    served(device)


def origins(machine, device, chat):
    port, own = machine.port, "https://127.0.0.1:%d" % machine.port
    foreign = ["null", "https://elsewhere.test", "http://127.0.0.1:%d" % port, "https://127.0.0.1", "https://127.0.0.1:%d.x" % port,
               "https://127.0.0.1:%d@x" % port, "file://", "", own + "/", own + " https://elsewhere.test"]
    for origin in foreign:
        for method, path in (("POST", "/v1/chats"), ("GET", "/v1/chats"), ("POST", "/v1/pairing/request"), ("GET", "/health")):
            device.expect(403, method, path, {} if method == "POST" else None, {"origin": origin})
        demand(upgrade(device, chat, {"origin": origin})[0] == 403, "an upgrade from %r" % origin)
    for site in ("cross-site", "same-site", "x"):
        device.expect(403, "GET", "/v1/chats", fields={"sec-fetch-site": site})
    for host in ("rebound.test", "rebound.test:%d" % port, "127.0.0.1.rebound.test", "[::1]x", "", "127.0.0.1@rebound.test"):
        try:
            device.expect(421, "GET", "/v1/chats", fields={"host": host})
        except CheckFailed as failure:
            demand(": 400 " in str(failure), "host %r: %s" % (host, failure))
    device.ask("GET", "/v1/chats", fields={"origin": own, "sec-fetch-site": "same-origin"})
    # Without a field that allows it, a browser lets no other page send a token or read an answer.
    connection = device.connection()
    connection.request("OPTIONS", "/v1/chats", headers={
        "origin": "https://elsewhere.test", "access-control-request-method": "POST",
        "access-control-request-headers": "authorization"})
    response = connection.getresponse()
    demand(response.status >= 400 and not any(name.lower().startswith("access-control") for name, _ in response.getheaders()),
           "a preflight is answered with %d" % response.status)
    connection.close()


def upgrade(device, chat, fields=(), timeout=LIMIT):
    """The status of an upgrade, the socket and its stream."""
    sock = raw(device, timeout)
    lines = {"host": "127.0.0.1:%d" % device.machine.port, "upgrade": "websocket", "connection": "upgrade",
             "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
             "authorization": "Bearer %s" % device.token, **dict(fields)}
    sock.sendall(("GET /v1/stream?chatId=%s HTTP/1.1\r\n%s\r\n" % (
        chat, "".join("%s: %s\r\n" % pair for pair in lines.items()))).encode())
    stream = sock.makefile("rb")
    status = status_of(stream)
    if status == 101:
        while stream.readline() not in (b"\r\n", b""):
            pass
    return status, sock, stream


def frame(first, payload=b"", masked=True, length=None):
    length = len(payload) if length is None else length
    head = bytes([first])
    bit = 0x80 if masked else 0
    if length < 126:
        head += bytes([bit | length])
    elif length < 1 << 16:
        head += bytes([bit | 126]) + struct.pack(">H", length)
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", length)
    return head + (b"\0\0\0\0" if masked else b"") + payload


def close_code(stream):
    """The code of the close frame, None where the connection just ends."""
    while True:
        head = stream.read(2)
        if len(head) < 2:
            return None
        length = head[1] & 0x7F
        if length > 125:
            length = int.from_bytes(stream.read(2 if length == 126 else 8), "big")
        payload = stream.read(length)
        if head[0] & 0x0F == 8:
            return int.from_bytes(payload[:2], "big") if len(payload) >= 2 else 1005


def web_socket_frames(device, chat):
    bad = {
        "a continuation of nothing": frame(0x80, b"x"), "a text within a text": frame(0x01, b"a") + frame(0x81, b"b"),
        "a binary within a text": frame(0x01, b"a") + frame(0x82, b"b"), "a frame without a mask": frame(0x81, b"x", masked=False),
        "an unknown opcode": frame(0x83, b"x"), "an unknown control frame": frame(0x8B), "a reserved bit": frame(0xC1, b"x"),
        "a ping in fragments": frame(0x09, b"x"), "a ping of 126 bytes": frame(0x89, b"x" * 126),
        "a text that is no UTF-8": frame(0x81, b"\xff\xfe"), "a message of 2^62 bytes": frame(0x81, b"x", length=1 << 62),
        "a length of 2^63": frame(0x81, b"x", length=(1 << 63) | 5),
        "fragments of 2 MB": frame(0x01, b"x" * (1 << 20)) + frame(0x00, b"x" * (1 << 20)) + frame(0x80, b"x"),
        "a close frame of one byte": frame(0x88, b"x"), "a close code of 1005": frame(0x88, struct.pack(">H", 1005)),
    }
    for what, contents in bad.items():
        status, sock, stream = upgrade(device, chat)
        demand(status == 101, "no upgrade: %d" % status)
        try:
            sock.sendall(contents)
        except OSError:
            pass  # closed while it was sent
        try:
            code = close_code(stream)
        except OSError:
            code = None
        demand(code in (None, 1002, 1003, 1007, 1008, 1009), "%s is answered by the close code %s" % (what, code))
        sock.close()
    # What is allowed stays: fragments in order with a ping between them, and many messages, which are passed over.
    status, sock, stream = upgrade(device, chat)
    sock.sendall(frame(0x01, b"a") + frame(0x89, b"p") + frame(0x80, b"b") + frame(0x81, b"y" * 100) * 10_000)
    sock.sendall(frame(0x88, struct.pack(">H", 1000)))
    demand(close_code(stream) == 1000, "a proper client is not let go")
    sock.close()
    served(device)
    return len(bad)


def slow_clients(device, chat):
    """Half heads, half bodies, half frames and idle connections, all held at one time."""
    held = [raw(device) for _ in range(IDLE_CONNECTIONS)]
    authority = "127.0.0.1:%d" % device.machine.port
    head = "POST /v1/chats/%s/messages HTTP/1.1\r\nhost: %s\r\nauthorization: Bearer %s\r\ncontent-length: 15000000\r\n\r\n{" % (
        chat, authority, device.token)
    unpaired = "POST /v1/pairing/confirm HTTP/1.1\r\nhost: %s\r\ncontent-length: 60000\r\n\r\n{" % authority
    for number in range(SLOW_CONNECTIONS):
        sock = raw(device)
        # A body of a route that anybody may use is not waited for.
        sock.sendall((["GET /v1/chats HTTP/1.1\r\nhost: ", unpaired, head][number % 3]).encode())
        held.append(sock)
    for _ in range(8):
        status, sock, _ = upgrade(device, chat)
        demand(status == 101, "no upgrade: %d" % status)
        sock.sendall(frame(0x01, b"half", length=1000))
        held.append(sock)
    served(device)
    # A head that does not end is cut.
    endless = raw(device)
    answer = b""
    try:
        endless.sendall(b"GET / HTTP/1.1\r\n")
        for _ in range(4096):
            endless.sendall(b"x: " + b"y" * 1000 + b"\r\n")
        answer = endless.recv(64)
    except OSError:
        pass  # closed while it was sent
    demand(answer == b"" or b" 431 " in answer or b" 400 " in answer, "4 MB of head are answered with %r" % answer)
    endless.close()
    slow = held[IDLE_CONNECTIONS + 1]
    slow.settimeout(LIMIT)
    demand(status_of(slow.makefile("rb")) == 408, "a body that does not come is waited for")
    served(device)
    for sock in held:
        sock.close()


def slow_over_http2(device):
    """HTTP/2: a head in pieces without end, and streams whose bodies never come (RFC 9113)."""
    import ssl
    context = ssl.create_default_context(cafile=device.machine.certificate)
    context.set_alpn_protocols(["h2"])
    sock = context.wrap_socket(socket.create_connection(("127.0.0.1", device.machine.port), LIMIT), server_hostname="127.0.0.1")
    demand(sock.selected_alpn_protocol() == "h2", "no HTTP/2")

    def piece(kind, flags, stream, contents):
        return len(contents).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + contents

    def field(name, value):
        return b"\0" + b"".join(bytes([len(text)]) + text for text in (name, value))
    head = b"".join(field(name, value) for name, value in (
        (b":method", b"POST"), (b":scheme", b"https"), (b":path", b"/v1/pairing/confirm"),
        (b":authority", b"127.0.0.1:%d" % device.machine.port)))
    sock.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + piece(4, 0, 0, b""))
    for stream in range(1, 101, 2):
        sock.sendall(piece(1, 4, stream, head) + piece(0, 0, stream, b"{"))
    served(device)
    flood = context.wrap_socket(socket.create_connection(("127.0.0.1", device.machine.port), LIMIT), server_hostname="127.0.0.1")
    flood.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + piece(4, 0, 0, b"") + piece(1, 0, 1, head))
    try:
        for _ in range(20_000):
            flood.sendall(piece(9, 0, 1, field(b"x", b"y" * 100) * 4))
    except OSError:
        pass
    else:
        raise CheckFailed("a head of HTTP/2 has no end")
    served(device)
    sock.close()
    flood.close()


def attack(machine, device, chat, project):
    """All of them, one after the other; what they cost in KiB of memory."""
    served(device)
    before = resident(machine)
    # First: it pairs a device, which the flood keeps everybody from but the host.
    routes = tokens(machine, device, chat)
    counts = pairing_flood(machine, device)
    traversal(machine, device, chat, project)
    origins(machine, device, chat)
    frames = web_socket_frames(device, chat)
    slow_clients(device, chat)
    slow_over_http2(device)
    wait_until(lambda: served(device) is None)
    cost = resident(machine) - before
    demand(cost < GROWTH, "the attackers cost %d KiB of memory" % cost)
    print("  attackers: %s pairing requests, %d routes without a token, traversals, origins, %d wrong frames, slow clients: %+d KiB" % (
        json.dumps(counts), routes, frames, cost), flush=True)
