"""A form with every kind of field that MCP has, and an answer to it; for the checks in this folder's parent."""

import json
import os

from scripted_model import call

QUESTION = {
    "message": "How shall it be painted?",
    "requestedSchema": {
        "type": "object", "required": ["colour", "sides", "coats", "glossy", "mail"],
        "properties": {
            "colour": {"type": "string", "title": "Colour", "oneOf": [
                {"const": "#f00", "title": "Red"}, {"const": "#0f0", "title": "Green"}]},
            "size": {"type": "string", "enum": ["s", "m"], "default": "m"},
            "sides": {"type": "array", "title": "Sides", "minItems": 1, "items": {"type": "string", "enum": ["top", "front"]}},
            "coats": {"type": "integer", "title": "Coats", "minimum": 1, "maximum": 3},
            "glossy": {"type": "boolean", "title": "Glossy", "description": "It shines."},
            "mail": {"type": "string", "title": "Mail", "format": "email"},
            "day": {"type": "string", "format": "date"},
            "weight": {"type": "number"},
            "words": {"type": "string", "maxLength": 20},
        }}}
ANSWERS = {"colour": "#0f0", "sides": ["top", "front"], "coats": 2, "glossy": True, "mail": "a@b", "size": "m", "weight": 0.5}


class Server:
    """The server that asks, as codex's configuration has it, and the answers that it got."""

    def __init__(self, folder):
        self.answers = os.path.join(folder, "answers.txt")
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mcp_server.py")
        self.configuration = '\n[mcp_servers.painter]\ncommand = "python3"\nargs = ["%s", "%s"]\n' % (program, self.answers)

    def last(self):
        with open(self.answers, encoding="utf-8") as file:
            return json.loads(file.read().splitlines()[-1])


def asking(number, question=None):
    """The model has the server ask."""
    return call("ask", {"question": question or QUESTION}, "call_form_%s" % number, namespace="mcp__painter")
