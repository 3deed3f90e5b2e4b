#!/usr/bin/env python3
"""An MCP server on its standard streams with two tools: `note` writes its argument to a file; `ask` asks the person what its
argument says (elicitation), and writes the answer to the file.

    mcp_server.py FILE [DESCRIPTION-FILE]

The description of `note` is the second file's contents at start: another description is another definition.
"""

import json
import os
import sys


def main():
    described = "writes a note"
    if len(sys.argv) > 2 and os.path.exists(sys.argv[2]):
        with open(sys.argv[2], encoding="utf-8") as file:
            described = file.read()
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    asking = {"type": "object", "properties": {"question": {"type": "object"}}}
    asked = {}

    def note(line):
        with open(sys.argv[1], "a", encoding="utf-8") as file:
            file.write(line + "\n")

    def send(**members):
        print(json.dumps({"jsonrpc": "2.0", **members}), flush=True)

    for line in sys.stdin:
        message = json.loads(line)
        if message.get("id") is None:
            continue
        method, answer = message.get("method"), {}
        if method is None:
            note(json.dumps(message.get("result") or message.get("error"), sort_keys=True))
            send(id=asked.pop(message["id"]), result={"content": [{"type": "text", "text": "asked"}], "isError": False})
            continue
        if method == "initialize":
            answer = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                      "serverInfo": {"name": "notes", "version": "1"}}
        elif method == "tools/list":
            answer = {"tools": [
                {"name": "note", "description": described, "inputSchema": schema},
                {"name": "ask", "description": "asks the person", "inputSchema": asking,
                 "annotations": {"readOnlyHint": True}}]}
        elif method == "tools/call" and message["params"]["name"] == "ask":
            number = "ask-%s" % message["id"]
            asked[number] = message["id"]
            send(id=number, method="elicitation/create", params=message["params"]["arguments"]["question"])
            continue
        elif method == "tools/call":
            note(message["params"]["arguments"].get("text", ""))
            answer = {"content": [{"type": "text", "text": "noted"}], "isError": False}
        send(id=message["id"], result=answer)


if __name__ == "__main__":
    main()
