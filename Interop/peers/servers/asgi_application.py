"""content.py as an ASGI application, for the servers that run one."""

import content


async def application(scope, receive, send):
    if scope["type"] == "lifespan":
        while (kind := (await receive())["type"]) != "lifespan.shutdown":
            await send({"type": kind + ".complete"})
        await send({"type": "lifespan.shutdown.complete"})
        return
    if scope["type"] != "http":
        return
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    target = scope.get("raw_path") or scope["path"].encode()
    if scope["query_string"] and b"?" not in target:  # some servers keep the query in the raw path
        target += b"?" + scope["query_string"]
    fields = [(bytes(name).lower(), bytes(value)) for name, value in scope["headers"]]
    status, fields, chunks = await content.answer(scope["method"].encode(), target, fields, body)
    await send({"type": "http.response.start", "status": status, "headers": fields})
    async for chunk in chunks:
        await send({"type": "http.response.body", "body": chunk, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
