"""A chat with a long history, for the checks in this folder's parent."""

import json


def lengthen(path, count):
    """Puts so many messages "entry 0", "entry 1"… of an old turn before all others of a chat's file; codex must not run."""
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    said = next(json.loads(line) for line in lines if '"type":"AgentMessage"' in line)

    def old(number):
        item = dict(said["payload"]["item"], id="msg_old_%d" % number, content=[{"type": "Text", "text": "entry %d" % number}])
        return json.dumps(dict(said, payload=dict(said["payload"], turn_id="turn_old", item=item))) + "\n"
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines[:1] + [old(number) for number in range(count)] + lines[1:])
