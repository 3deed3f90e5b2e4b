"""`workers serve` in a folder of its own, and `remote workers` as a person uses it; for the checks in this folder's parent."""

import os
import subprocess
import time

from programs import CheckFailed, Child, free_port, program

LIMIT = 60.0  # seconds until anything that is waited for must have come
ACCOUNT = "person@example.test"


class Runtime:
    """A runtime; started again it has the same workers."""

    def __init__(self, folder, host="127.0.0.1", port=None):
        self.folder, self.host, self.port = folder, host, port or free_port()
        self.database = os.path.join(folder, "workers.sqlite")
        self.environment = {"XDG_STATE_HOME": folder}
        place = () if host == "127.0.0.1" else (host,)
        self.certificate = os.path.join(folder, "agent-stream", *place, "certificate.pem")
        self.child = None

    @property
    def url(self):
        return "https://%s:%d" % (self.host, self.port)

    def command(self, *options):
        return [program("workers"), "serve", "--database", self.database, "--address", self.host, "--port", str(self.port),
                "--print-codes", "--keep-alive", "2", "--log-level", "info", *options]

    def start(self, *options):
        self.child = Child(self.command(*options), self.environment)
        while True:
            line = self.child.output.next(time.monotonic() + LIMIT)
            if line is None:
                raise CheckFailed("workers ended: " + self.child.errors.text()[-2000:])
            if line[1].startswith("listening"):
                return

    def stop(self):
        if self.child is not None:
            self.child.end()

    def token(self):
        done = subprocess.run([program("workers"), "tokens", "create", "--database", self.database, "--email", ACCOUNT],
                              env={**os.environ, **self.environment}, capture_output=True, text=True, timeout=LIMIT)
        if done.returncode != 0:
            raise CheckFailed("workers tokens create: " + done.stderr)
        return done.stdout.strip()


class Remote:
    """`remote workers` against a runtime."""

    def __init__(self, runtime, token, folder):
        self.runtime, self.folder = runtime, folder
        self.environment = {"WORKERS_TOKEN": token, "WORKERS_SERVER": runtime.url} if token else {}

    def arguments(self, *words):
        return [program("remote"), "workers", *words, "--ca-file", self.runtime.certificate, "--state-folder", self.folder]

    def run(self, *words, text=None, code=0):
        """What a command writes; it has to end with this code."""
        done = subprocess.run(self.arguments(*words), env={**os.environ, **self.environment}, capture_output=True,
                              text=True, input=text or "", timeout=2 * LIMIT)
        if done.returncode != code:
            raise CheckFailed("remote workers %s: code %d instead of %d: %s %s" % (
                " ".join(words), done.returncode, code, done.stdout[-500:], done.stderr[-1500:]))
        return done.stdout if code == 0 else done.stderr

    def watch(self, worker, *options):
        return Child(self.arguments("watch", worker, "--json", *options), self.environment)
