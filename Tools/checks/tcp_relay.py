"""Hands TCP connections on 127.0.0.1:FROM to 127.0.0.1:TO, so that a port has a TCP listener and no UDP one."""

import asyncio
import sys


async def pump(reader, writer):
    try:
        while chunk := await reader.read(65536):
            writer.write(chunk)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def main(source, target):
    async def connected(reader, writer):
        there = await asyncio.open_connection("127.0.0.1", target)
        await asyncio.gather(pump(reader, there[1]), pump(there[0], writer))

    server = await asyncio.start_server(connected, "127.0.0.1", source)
    print("listening", flush=True)
    await server.serve_forever()


asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
