#!/usr/bin/env python3
"""An MCP server on its standard streams with one tool, `note`, which writes its argument to a file.

    mcp_server.py FILE [DESCRIPTION-FILE]

The tool's description is the second file's contents at start: another description is another definition.
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
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("id") is None:
            continue
        method, answer = message.get("method"), {}
        if method == "initialize":
            answer = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                      "serverInfo": {"name": "notes", "version": "1"}}
        elif method == "tools/list":
            answer = {"tools": [{"name": "note", "description": described, "inputSchema": schema}]}
        elif method == "tools/call":
            with open(sys.argv[1], "a", encoding="utf-8") as file:
                file.write(message["params"]["arguments"].get("text", "") + "\n")
            answer = {"content": [{"type": "text", "text": "noted"}], "isError": False}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer}), flush=True)


if __name__ == "__main__":
    main()
