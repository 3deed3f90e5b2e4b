"""What the Python servers of this folder serve: the files of $WWW, and under /o/ what $UPSTREAM answers, as it comes."""

import asyncio
import os
import urllib.parse

FILES = os.path.realpath(os.environ["WWW"])
HOST, _, PORT = os.environ["UPSTREAM"].removeprefix("http://").rstrip("/").rpartition(":")
CHUNK = 65_536  # bytes
# Fields that belong to one connection, RFC 9110 § 7.6.1, and the host, which is the origin's.
HOP_BY_HOP = {b"connection", b"keep-alive", b"te", b"trailer", b"transfer-encoding", b"upgrade", b"host"}


async def answer(method, target, fields, body):
    """The status, the fields and an asynchronous iterator over the body. Names and values are bytes, names lower-case."""
    if target.startswith(b"/o/"):
        try:
            return await from_origin(method, target.removeprefix(b"/o"), fields, body)
        except (OSError, EOFError, ValueError) as failure:
            return plain(502, b"the origin: " + str(failure).encode())
    path = os.path.realpath(FILES + urllib.parse.unquote(target.partition(b"?")[0].decode()))
    if not path.startswith(FILES + os.sep) or not os.path.isfile(path):
        return plain(404, b"there is no such file")
    size = str(os.path.getsize(path)).encode()
    return 200, [(b"content-type", b"application/octet-stream"), (b"content-length", size)], file_chunks(path)


def plain(status, text):
    async def chunks():
        yield text + b"\n"

    return status, [(b"content-type", b"text/plain"), (b"content-length", b"%d" % (len(text) + 1))], chunks()


async def file_chunks(path):
    with open(path, "rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


async def from_origin(method, target, fields, body):
    reader, writer = await asyncio.open_connection(HOST, int(PORT))
    try:
        lines = [method + b" " + target + b" HTTP/1.1", b"host: " + HOST.encode(), b"connection: close"]
        lines += [name + b": " + value for name, value in fields
                  if name not in HOP_BY_HOP | {b"content-length"} and not name.startswith(b":")]
        if body:
            lines.append(b"content-length: %d" % len(body))
        writer.write(b"\r\n".join(lines) + b"\r\n\r\n" + body)
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        received = [(name.lower(), value.strip()) for name, _, value in (line.partition(b":") for line in head[1:] if line)]
        kept = [field for field in received if field[0] not in HOP_BY_HOP]
        return int(head[0].split()[1]), kept, origin_chunks(reader, writer, dict(received))
    except BaseException:
        writer.close()
        raise


async def origin_chunks(reader, writer, fields):
    try:
        if fields.get(b"transfer-encoding", b"").lower() == b"chunked":
            while size := int((await reader.readline()).split(b";")[0], 16):
                yield await reader.readexactly(size)
                await reader.readexactly(2)
        elif b"content-length" in fields:
            left = int(fields[b"content-length"])
            while left:
                chunk = await reader.read(min(left, CHUNK))
                if not chunk:
                    raise ConnectionError("the origin ended in the middle of a body")
                left -= len(chunk)
                yield chunk
        else:  # delimited by the connection's end
            while chunk := await reader.read(CHUNK):
                yield chunk
    finally:
        writer.close()
