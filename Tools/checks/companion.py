"""The companion with the real codex and a scripted model, and a device that talks to it; for the checks in this folder's parent."""

import json
import os
import queue
import signal
import ssl
import http.client
import subprocess
import threading
import time

from programs import ROOT, CheckFailed, Child, free_port, program, skip
from scripted_model import ScriptedModel, configuration

LIMIT = 60.0  # seconds until anything that is waited for must have come


def codex_program():
    """The real binary. Where it is not available the check is skipped; in CI that fails."""
    found = subprocess.run([os.path.join(ROOT, "Interop", "peers", "codex")], capture_output=True, text=True)
    if found.returncode == 0:
        return found.stdout.strip()
    reason = "the codex binary is not available: " + found.stderr.strip()
    if os.environ.get("CI"):
        raise CheckFailed(reason)
    skip(reason)


def wait_until(what, seconds=LIMIT, pause=0.05):
    """What `what` gives, once it is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = what()
        if value:
            return value
        time.sleep(pause)
    raise CheckFailed("waited %g s in vain for %s" % (seconds, getattr(what, "__doc__", None) or what))


class Workstation:
    """A companion that runs, by its state folder and address: its person's commands, and devices that it is paired with."""

    def __init__(self, state, port, address="127.0.0.1"):
        self.state, self.port, self.address = state, port, address
        self.certificate = os.path.join(state, "certificate.pem")

    def command(self, *words):
        """A command of the person at the workstation."""
        done = subprocess.run([program("companion"), *words, "--state-folder", self.state], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=LIMIT)
        if done.returncode != 0:
            raise CheckFailed("companion %s: %s" % (" ".join(words), done.stderr.strip()))
        return done.stdout

    def pair(self, name="phone"):
        device = Device(self)
        ticket = device.ask("POST", "/v1/pairing/request", {})
        answers = queue.Queue()

        def confirm():
            answers.put(device.ask("POST", "/v1/pairing/confirm", {
                "pairingId": ticket["pairingId"], "nonce": ticket["nonce"], "deviceName": name}))
        threading.Thread(target=confirm, daemon=True).start()
        wait_until(lambda: ticket["pairingId"] in self.command("confirm"))
        self.command("confirm", ticket["pairingId"], "--allow")
        grant = answers.get(timeout=LIMIT)
        device.token, device.id = grant["token"], grant["deviceId"]
        return device


class Machine(Workstation):
    """A workstation in a folder of its own: codex's home, a project, the companion's state, a model."""

    def __init__(self, folder, codex, more="", port=None, **settings):
        super().__init__(os.path.join(folder, "state"), port or free_port())
        self.folder, self.codex = folder, codex
        self.home, self.project = (os.path.join(folder, name) for name in ("home", "project"))
        for path in (self.home, self.project):
            os.mkdir(path)
        self.model = ScriptedModel()
        self.config = os.path.join(self.home, "config.toml")
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(configuration(self.model, more=more, **settings))
        self.companion = None

    def start(self, *options):
        self.companion = Child(
            [program("companion"), "serve", "--state-folder", self.state, "--port", str(self.port), "--codex", self.codex,
             "--project", self.project, *options],
            environment={"CODEX_HOME": self.home, "HOME": self.home, "PATH": os.environ["PATH"]})
        while True:
            line = self.companion.output.next(time.monotonic() + LIMIT)
            if line is None:
                raise CheckFailed("the companion ended: " + self.companion.errors.text()[-2000:])
            if line[1].startswith("listening"):
                return

    def kill(self):
        self.companion.end(signal.SIGKILL)

    def print_logs(self):
        """What companion and codex said last; where a check fails."""
        if self.companion is not None:
            print(self.companion.errors.text()[-3000:])
        try:
            with open(os.path.join(self.state, "codex", "codex.log"), encoding="utf-8", errors="replace") as file:
                print("codex:\n" + file.read()[-2000:])
        except OSError as error:
            print("codex: %s" % error)

    def stop(self):
        if self.companion is not None:
            self.companion.end(signal.SIGTERM)
        for pid in self.codex_processes():
            os.kill(pid, signal.SIGKILL)
        self.model.close()

    def stop_all(self):
        """Ends the companion and codex."""
        self.companion.end(signal.SIGTERM)
        for pid in self.codex_processes():
            os.kill(pid, signal.SIGTERM)
        wait_until(lambda: not self.codex_processes())

    def codex_processes(self):
        found = []
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    with open("/proc/%s/cmdline" % name, "rb") as file:
                        words = file.read().decode(errors="replace").split("\0")
                except OSError:
                    continue
                if "app-server" in words and any(self.state in word for word in words):
                    found.append(int(name))
        return found


class Refused(CheckFailed):
    """An answer with an error's status. Where nobody expects it, the check has failed."""

    def __init__(self, status, error):
        super().__init__("%d %s" % (status, error))
        self.status, self.error = status, error


class Device:
    """A paired client over HTTP/1.1, with a connection for each request: it survives whatever is killed."""

    def __init__(self, machine):
        self.machine, self.token = machine, None

    def connection(self, timeout=LIMIT):
        context = ssl.create_default_context(cafile=self.machine.certificate)
        return http.client.HTTPSConnection(self.machine.address, self.machine.port, timeout=timeout, context=context)

    def fields(self, more=()):
        fields = {"content-type": "application/json"}
        if self.token:
            fields["authorization"] = "Bearer " + self.token
        fields.update(more)
        return fields

    def ask(self, method, path, body=None, fields=()):
        connection = self.connection()
        try:
            connection.request(method, path, None if body is None else json.dumps(body), self.fields(fields))
            response = connection.getresponse()
            contents = json.loads(response.read() or b"null")
        finally:
            connection.close()
        if response.status >= 400:
            raise Refused(response.status, (contents or {}).get("error"))
        return contents

    def data(self, method, path, body=None):
        return self.ask(method, path, body)["data"]

    def expect(self, status, method, path, body=None, fields=()):
        """The error's text of a request that has to be refused."""
        try:
            answer = self.ask(method, path, body, fields)
        except Refused as refusal:
            if refusal.status != status:
                raise CheckFailed("%s %s: %s instead of %d" % (method, path, refusal, status)) from None
            return refusal.error
        raise CheckFailed("%s %s was not refused but answered %s" % (method, path, answer))

    def approval(self, chat):
        """The question that waits, once one does."""
        return wait_until(lambda: self.data("GET", "/v1/chats/%s/pending-approval" % chat))

    def is_idle(self, chat):
        return not self.data("GET", "/v1/chats/%s/run-state" % chat)["isRunning"]


def over_http3(device, chat, count):
    """The first events of a chat, by our own client over HTTP/3 alone."""
    url = "https://127.0.0.1:%d/v1/stream?chatId=%s&cursor=0" % (device.machine.port, chat)
    child = Child([program("h3get"), "--http3-only", "--events", "--ca-file", device.machine.certificate,
                   "-H", "authorization: Bearer " + device.token, url])
    frames = []
    try:
        while len(frames) < count:
            line = child.output.next(time.monotonic() + LIMIT)
            if line is None:
                raise CheckFailed("h3get ended: " + child.errors.text()[-1000:])
            event = json.loads(line[1])
            if event.get("data"):
                frames.append(json.loads(event["data"]))
    finally:
        child.end()
    return frames


class WebSocketStream:
    """A chat's events as a WebSocket brings them (RFC 6455)."""

    def __init__(self, device, chat, timeout=LIMIT):
        connection = device.connection(timeout)
        connection.connect()
        self.socket = connection.sock
        self.socket.sendall((
            "GET /v1/stream?chatId=%s&cursor=0 HTTP/1.1\r\nhost: %s:%d\r\nupgrade: websocket\r\n"
            "connection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "authorization: Bearer %s\r\n\r\n" % (chat, device.machine.address, device.machine.port, device.token)).encode())
        self.stream = self.socket.makefile("rb")
        status = self.stream.readline().decode()
        if " 101 " not in status:
            raise CheckFailed("no upgrade: " + status)
        while self.stream.readline() not in (b"\r\n", b""):
            pass

    def next(self):
        """The next event."""
        while True:
            header = self.stream.read(2)
            if len(header) < 2:
                raise CheckFailed("the WebSocket ended")
            first, length = header
            if length > 125:
                length = int.from_bytes(self.stream.read(2 if length == 126 else 8), "big")
            contents = self.stream.read(length)
            if first == 0x81:
                return json.loads(contents)
            if first == 0x89:
                # A client masks what it sends (§ 5.3); a mask of zeros changes nothing.
                self.socket.sendall(bytes((0x8A, 0x80 | length)) + bytes(4) + contents)

    def close(self):
        self.stream.close()
        self.socket.close()


def over_web_socket(device, chat, count):
    """The first events of a chat as a WebSocket brings them."""
    stream = WebSocketStream(device, chat)
    try:
        return [stream.next() for _ in range(count)]
    finally:
        stream.close()


class Stream:
    """A chat's event stream that comes back with its cursor for as long as it is wanted."""

    def __init__(self, device, chat, cursor=0):
        self.device, self.chat, self.cursor = device, chat, cursor
        self.events, self.ids, self.failures = [], [], []
        self.is_wanted, self.connection = True, None
        self.changed = threading.Condition()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while self.is_wanted:
            try:
                self._read()
            except (OSError, http.client.HTTPException, ValueError) as failure:
                self.failures.append(str(failure))
            time.sleep(0.05)

    def _read(self):
        self.connection = self.device.connection(timeout=25)
        path = "/v1/stream?chatId=%s&cursor=%d" % (self.chat, self.cursor)
        self.connection.request("GET", path, headers=self.device.fields())
        response = self.connection.getresponse()
        if response.status != 200:
            raise ValueError("%d %s" % (response.status, response.read()[:200]))
        block = {}
        while True:
            line = response.readline()
            if not line:
                return
            line = line.decode().rstrip("\n")
            if line:
                name, _, value = line.partition(": ")
                block[name] = value
            elif block:
                self._take(block)
                block = {}

    def _take(self, block):
        if "data" not in block:
            return
        frame = json.loads(block["data"])
        with self.changed:
            if "id" in block:
                self.cursor = int(block["id"])
                self.ids.append(self.cursor)
                self.events.append(frame)
            self.changed.notify_all()

    def wait(self, is_meant, seconds=LIMIT):
        with self.changed:
            if not self.changed.wait_for(lambda: any(map(is_meant, self.events)), seconds):
                raise CheckFailed("the event did not come; the last ones: %s; failures: %s" % (
                    [event["event"] for event in self.events[-8:]], self.failures[-3:]))
            return next(filter(is_meant, self.events))

    def of(self, name):
        return [event["payload"] for event in self.events if event["event"] == name]

    def cut(self):
        if self.connection is not None and self.connection.sock is not None:
            try:
                self.connection.sock.shutdown(2)
            except OSError:
                pass

    def close(self):
        self.is_wanted = False
        self.cut()
        self.thread.join(5)

    def check_order(self):
        """Each event once, in order, without a gap."""
        expected = list(range(self.ids[0], self.ids[0] + len(self.ids))) if self.ids else []
        if self.ids != expected:
            raise CheckFailed("events were lost, repeated or reordered: %s" % self.ids)
