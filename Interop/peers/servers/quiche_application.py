"""The files of $WWW by Cloudflare's quiche, through soyokaze, which takes and gives whole messages only.

It listens on every address of the machine; a port is all that it takes.
"""

import asyncio
import base64
import os
import re

from soyokaze import Identity, Message, Port, Server, ServerConfig, Version

import content


def parts(path, kind):
    """The DER of each PEM block whose name ends with kind."""
    with open(path, encoding="ascii") as file:
        text = file.read()
    return [base64.b64decode(body) for body in
            re.findall(r"-----BEGIN [A-Z ]*%s-----(.*?)-----END" % kind, text, re.DOTALL)]


async def main():
    version = Version([version for version in Version if "3" in version.name][-1])

    async def handle(request):
        status, fields, chunks = await content.answer(b"GET", str(request.target).encode(), [], b"")
        response = Message.response(status, version)
        response.set_body(b"".join([chunk async for chunk in chunks]))
        for name, value in fields:
            if name != b"content-length":  # it makes its own
                response.insert_header(name.decode(), value.decode())
        return response

    chain, keys = parts(os.environ["CERTIFICATE"], "CERTIFICATE"), parts(os.environ["PRIVATE_KEY"], "PRIVATE KEY")
    identity = Identity(chain, keys[0])
    async with await Server(ServerConfig(versions=[version], identity=identity)).serve(
            handle, [Port.QUIC(int(os.environ["PORT"]))]):
        await asyncio.Event().wait()


asyncio.run(main())
