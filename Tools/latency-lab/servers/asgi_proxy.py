"""A reverse proxy as an ASGI application: any ASGI server that speaks HTTP/3 can so be measured with the lab.

    ORIGIN=127.0.0.1:8080 hypercorn --bind … --quic-bind … --certfile … --keyfile … asgi_proxy:application

Each chunk of the origin's answer is handed on at once. Only what the lab's origin needs: HTTP/1.1, one request a
connection.
"""

import asyncio
import os

HOST, _, PORT = os.environ.get("ORIGIN", "127.0.0.1:8080").rpartition(":")
CHUNK = 65_536  # bytes
# Fields that belong to one connection, RFC 9110 § 7.6.1.
HOP_BY_HOP = {b"connection", b"keep-alive", b"te", b"trailer", b"transfer-encoding", b"upgrade", b"host"}


async def application(scope, receive, send):
    if scope["type"] == "lifespan":
        await lifespan(receive, send)
        return
    reader, writer = await asyncio.open_connection(HOST, int(PORT))
    try:
        writer.write(request_head(scope))
        # A length in the request's own fields frames its body, so it is handed on as it comes.
        while True:
            message = await receive()
            writer.write(message.get("body", b""))
            if not message.get("more_body"):
                break
        await writer.drain()
        status, fields = await answer_head(reader)
        handed_on = [field for field in fields if field[0] not in HOP_BY_HOP]
        await send({"type": "http.response.start", "status": status, "headers": handed_on})
        async for chunk in body(reader, dict(fields)):
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body"})
    finally:
        writer.close()


async def lifespan(receive, send):
    while (kind := (await receive())["type"]) != "lifespan.shutdown":
        await send({"type": kind + ".complete"})
    await send({"type": "lifespan.shutdown.complete"})


def request_head(scope):
    target = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
    lines = [scope["method"].encode() + b" " + target + b" HTTP/1.1", b"host: " + HOST.encode(), b"connection: close"]
    lines += [name + b": " + value for name, value in scope["headers"]
              if name not in HOP_BY_HOP and not name.startswith(b":")]
    return b"\r\n".join(lines) + b"\r\n\r\n"


async def answer_head(reader):
    lines = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
    fields = [(name.lower(), value.strip()) for name, _, value in (line.partition(b":") for line in lines[1:] if line)]
    return int(lines[0].split()[1]), fields


async def body(reader, fields):
    if fields.get(b"transfer-encoding", b"").lower() == b"chunked":
        while size := int((await reader.readline()).split(b";")[0], 16):
            yield await reader.readexactly(size)
            await reader.readexactly(2)
        await reader.readuntil(b"\r\n")
    elif b"content-length" in fields:
        left = int(fields[b"content-length"])
        while left and (chunk := await reader.read(min(left, CHUNK))):
            left -= len(chunk)
            yield chunk
        if left:
            raise ConnectionError("the origin ended in the middle of a body")
    elif fields.get(b"connection", b"").lower() == b"close":
        while chunk := await reader.read(CHUNK):
            yield chunk
