"""`remote` against a companion with the real codex; for the checks in this folder's parent."""

import json
import os
import re
import subprocess
import threading
import time

from companion import LIMIT, wait_until
from programs import CheckFailed, Lines, program

SECRET = re.compile(r"nonce=[0-9a-f]+")


class Remote:
    """The paired device: its state folder, and commands with their answers as objects."""

    def __init__(self, machine, folder, prefix=()):
        self.machine, self.folder, self.prefix = machine, folder, list(prefix)
        self.more = folder + "-more"  # what is remembered of networks and connections

    def arguments(self, *words):
        command = words[:2] if words[0] == "hosts" and len(words) > 1 and words[1] == "remove" else words[:1]
        return self.prefix + [program("remote"), *command, "--state-folder", self.folder, *words[len(command):]]

    def environment(self):
        return {**os.environ, "XDG_STATE_HOME": self.more}

    def ask(self, *words, text=None):
        done = subprocess.run(self.arguments(*words, "--json"), capture_output=True, text=True, timeout=LIMIT, input=text,
                              stdin=None if text is not None else subprocess.DEVNULL, env=self.environment())
        if done.returncode:
            raise CheckFailed("remote %s: %d %s" % (SECRET.sub("nonce=…", " ".join(words)), done.returncode, done.stderr))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def pair(self, code=None):
        """Pairs by `companion pair`, the code on standard input; the person at the workstation says yes."""
        code = code or self.machine.command("pair", "--code", "none")
        answers = []
        thread = threading.Thread(target=lambda: answers.append(self.ask("pair", "--name", "laptop", text=code)), daemon=True)
        thread.start()
        ids = wait_until(lambda: re.findall(r"[0-9a-f]{8}-[0-9a-f-]{27}", self.machine.command("confirm")))
        self.machine.command("confirm", ids[0], "--allow")
        thread.join(LIMIT)
        if not answers:
            raise CheckFailed("remote pair gave no answer")
        return answers[0][0]


class OpenChat:
    """`remote open --json`: the objects that it writes, and lines that are typed."""

    def __init__(self, remote, chat, *options):
        self.process = subprocess.Popen(
            remote.arguments("open", chat, "--json", *options), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, bufsize=1, env=remote.environment())
        self.output, self.errors = Lines(self.process.stdout), Lines(self.process.stderr)
        self.seen = []

    def type(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, kind, seconds=LIMIT, **members):
        """The next object of this kind with these members; what comes before is kept."""
        end = time.monotonic() + seconds
        while True:
            item = self.output.next(end)
            if item is None:
                raise CheckFailed("remote open ended: " + self.errors.text()[-2000:])
            value = json.loads(item[1])
            self.seen.append(value)
            if value["kind"] == kind and all(value.get(name) == wanted for name, wanted in members.items()):
                return value

    def of(self, kind, **members):
        return [value for value in self.seen
                if value["kind"] == kind and all(value.get(name) == wanted for name, wanted in members.items())]

    def transcript(self):
        """What was said and done, each entry as it was reported last, in the order in which it came first."""
        entries = {}
        for value in self.seen:
            if value["kind"] == "entry":
                entries[(value["turn_id"], value["item_id"])] = {
                    name: value[name] for name in ("type", "role", "text", "command", "exit_code", "progress") if name in value}
        return entries

    def streamed(self, turn, item):
        """The pieces of a message's text, put together."""
        return "".join(value["text"] for value in self.of("text", turn_id=turn, item_id=item))

    def leave(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            try:
                self.process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                raise CheckFailed("remote open does not leave: %s" % self.seen[-3:]) from None
        return self.process.returncode

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
