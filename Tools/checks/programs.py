"""Starts the built programs for the checks in this folder's parent, and ends every one that was started."""

import json
import os
import queue
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CANNOT_RUN_HERE = 75  # EX_TEMPFAIL: neither passed nor failed
START_LIMIT = 30.0  # seconds until a backend must answer
CHAT_LIMIT = 120.0  # seconds until a chat must have ended

# A check that is asked to stop unwinds, so that its children and namespaces go with it.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
sys.dont_write_bytecode = True


class CheckFailed(Exception):
    """What was expected and what was seen instead."""


def demand(is_so, what):
    """Fails the check with the sentence `what` unless something is so."""
    if not is_so:
        raise CheckFailed(what)


class TooLate(CheckFailed):
    """All is right, and later than allowed."""


def in_time(action, attempts=3):
    """What `action` gives, given a new folder. It is tried again where it comes too late: other work on the machine delays it
    and cannot speed it up."""
    for attempt in range(attempts):
        try:
            with tempfile.TemporaryDirectory(prefix="agent-stream-") as folder:
                return action(folder)
        except TooLate as failure:
            if attempt + 1 == attempts:
                raise
            print("  once more: %s" % failure, flush=True)


def skip(reason):
    print("skipped: " + reason, flush=True)
    sys.exit(CANNOT_RUN_HERE)


def program(name):
    """The path of a built program: from the folder $PROGRAMS, else from the last debug or release build."""
    folders = [os.environ["PROGRAMS"]] if "PROGRAMS" in os.environ else [
        os.path.join(ROOT, ".build", kind) for kind in ("debug", "release")]
    found = [path for path in (os.path.join(folder, name) for folder in folders) if os.access(path, os.X_OK)]
    if not found:
        sys.exit("There is no built '%s' in %s; run 'swift build' first." % (name, " or ".join(folders)))
    return max(found, key=os.path.getmtime)


def free_port():
    """A port number that is free for TCP and UDP on 127.0.0.1, as far as one can know."""
    with socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp:
        tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        tcp.bind(("127.0.0.1", 0))
        udp.bind(tcp.getsockname())
        return tcp.getsockname()[1]


class Lines:
    """The lines of a child's stream with the moment each arrived, read by a thread so that no pipe ever fills."""

    def __init__(self, stream):
        self.queue = queue.Queue()
        self.seen = []
        self.thread = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self.thread.start()

    def _read(self, stream):
        for line in stream:
            self.queue.put((time.monotonic(), line.rstrip("\n")))
        self.queue.put(None)

    def next(self, limit):
        """The next (moment, line); None at the end of the stream."""
        try:
            item = self.queue.get(timeout=max(0.0, limit - time.monotonic()))
        except queue.Empty:
            raise CheckFailed("no line came in time; the last ones: %s" % [text for _, text in self.seen[-5:]]) from None
        if item is not None:
            self.seen.append(item)
        return item

    def text(self):
        self.thread.join(2.0)
        while not self.queue.empty():
            item = self.queue.get()
            if item is not None:
                self.seen.append(item)
        return "\n".join(text for _, text in self.seen)


class Child:
    """A child process whose two output streams are read as lines."""

    descriptors = ()  # what it inherits besides

    def __init__(self, arguments, environment=None):
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            errors="replace", bufsize=1, env={**os.environ, **(environment or {})}, pass_fds=self.descriptors)
        self.output, self.errors = Lines(self.process.stdout), Lines(self.process.stderr)

    def wait(self, limit):
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            raise CheckFailed("still running after %g s; standard error: %s" % (limit, self.errors.text()[-2000:])) from None

    def end(self, how=signal.SIGKILL):
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait()


class Backend(Child):
    """`backend serve` with its own folder, the demonstrator answering unless `model` names another; the same folder again
    is the same backend."""

    def __init__(self, folder, port, prefix=(), rate=None, address="127.0.0.1", model=("--model", "demo"), options=(),
                 database=None):
        self.folder, self.port, self.prefix = folder, port, list(prefix)
        self.database, self.key_file = database or os.path.join(folder, "log.sqlite"), os.path.join(folder, "api-key")
        self.certificate, self.private_key = os.path.join(folder, "certificate.pem"), os.path.join(folder, "key.pem")
        self.prepare()
        arguments = self.prefix + [
            program("backend"), "serve", "--address", address, "--port", str(port), "--database", self.database,
            "--certificate", self.certificate, "--private-key", self.private_key, "--api-key-file", self.key_file,
            *model]
        if rate is not None:
            arguments += ["--token-rate", str(rate)]
        super().__init__(arguments + list(options))
        try:
            self.wait_until_ready()
        except CheckFailed:
            self.end()
            raise

    def prepare(self):
        if not os.path.exists(self.key_file):
            with open(os.open(self.key_file, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
                file.write("rk_" + os.urandom(24).hex() + "\n")
        if not os.path.exists(self.certificate):
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc",
                 "-keyout", self.private_key, "-out", self.certificate, "-days", "2", "-subj", "/CN=localhost",
                 "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1",
                 "-addext", "keyUsage=critical,digitalSignature,keyCertSign", "-addext", "extendedKeyUsage=serverAuth"],
                check=True, capture_output=True)

    def wait_until_ready(self):
        limit = self.began + START_LIMIT
        while (item := self.output.next(limit)) is not None:
            if item[1].startswith("listening on "):
                return
        raise CheckFailed("the backend did not start: %s" % self.errors.text()[-2000:])


class Chat(Child):
    """`chat --jsonl` with one prompt against a backend."""

    def __init__(self, backend, prompt, url=None, prefix=(), options=()):
        super().__init__(list(prefix) + [
            program("chat"), "--url", url or "https://127.0.0.1:%d" % backend.port, "--ca-file", backend.certificate,
            "--api-key-file", backend.key_file, "--approve", "all", "--jsonl", *options, prompt])
        self.limit = self.began + CHAT_LIMIT

    def lines(self):
        """Each object with the seconds since the program started."""
        while (item := self.output.next(self.limit)) is not None:
            try:
                yield item[0] - self.began, json.loads(item[1])
            except ValueError:
                raise CheckFailed("not a JSON line: %r" % item[1]) from None
