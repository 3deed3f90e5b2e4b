"""Chromium without a window, steered through its debugging pipe; for clients that are pages.

Trusts the keys that it is given and nothing else, looks up no name, and speaks HTTP/3 alone to the origins that it is
given, or no HTTP/3 at all.
"""

import base64
import collections
import hashlib
import json
import os
import re
import shutil
import subprocess
import urllib.parse

CERTIFICATE = re.compile("-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL)
END_LIMIT = 5.0  # seconds


class Failure(Exception):
    """What the browser says."""


def program():
    """Its path; None where there is no Chromium."""
    return shutil.which(os.environ.get("CHROMIUM", "chromium"))


def key_hashes(*files):
    """The hashes of all public keys in files of certificates (PEM), as Chromium wants them; what is not there has none."""
    hashes = set()
    for path in files:
        if not os.path.exists(path):
            continue
        with open(path, encoding="ascii", errors="replace") as file:
            certificates = CERTIFICATE.findall(file.read())
        for certificate in certificates:
            done = subprocess.run(["openssl", "x509", "-pubkey", "-noout"], input=certificate, capture_output=True,
                                  text=True, check=False)
            if done.returncode:
                raise Failure("%s: %s" % (path, done.stderr.strip().split("\n")[0]))
            der = base64.b64decode("".join(done.stdout.split("\n")[1:-2]))
            hashes.add(base64.b64encode(hashlib.sha256(der).digest()).decode())
    return sorted(hashes)


def origin_of(url):
    """HOST:PORT, as the browser's options have origins."""
    parts = urllib.parse.urlsplit(url)
    host = "[%s]" % parts.hostname if ":" in parts.hostname else parts.hostname
    return "%s:%d" % (host, parts.port or 443)


class Browser:
    """A browser with a profile of its own, and its one page.

    `handlers` has a function for each event that matters, which gets the event's parameters. Events are taken while a
    command waits for its result, or when the caller reads the pipe.
    """

    def __init__(self, origins, keys, profile, has_quic=True, options=()):
        read_end, self.commands = os.pipe()
        self.answers, write_end = os.pipe()
        hosts = sorted({origin.rpartition(":")[0].strip("[]") for origin in origins})
        quic = ["--enable-quic", "--origin-to-force-quic-on=" + ",".join(origins)] if has_quic else ["--disable-quic"]
        arguments = [
            program() or "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--no-proxy-server", "--remote-debugging-pipe", "--user-data-dir=" + profile,
            "--ignore-certificate-errors-spki-list=" + ",".join(keys), *quic,
            # Nothing but the hosts that are asked for is looked up.
            "--host-resolver-rules=MAP * ~NOTFOUND" + "".join(", EXCLUDE " + host for host in hosts), *options,
            "about:blank"]

        def take_places():  # the pipe is descriptors 3 and 4; the originals are moved away from there first
            ends = os.dup(read_end), os.dup(write_end)
            high = [os.dup2(end, 60 + number) for number, end in enumerate(ends)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, preexec_fn=take_places, pass_fds=(3, 4))
        os.close(read_end)
        os.close(write_end)
        self.handlers = {"Page.loadEventFired": self._page_is_loaded, "Runtime.bindingCalled": self._binding_is_called}
        self._bindings, self._is_loaded = {}, False
        self._rest, self._number, self._session = b"", 0, None
        self._received = collections.deque()
        try:
            self._attach()
        except (Failure, OSError):
            self.end()
            raise

    def _attach(self):
        targets = self.command("Target.getTargets")["targetInfos"]
        page = next((target["targetId"] for target in targets if target["type"] == "page"), None)
        if page is None:
            raise Failure("the browser has no page")
        self._session = self.command("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for name in ("Page", "Runtime"):
            self.command(name + ".enable")

    def post(self, method, **parameters):
        """Sends a command whose result nobody waits for; answers its number."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        rest = memoryview(json.dumps(message).encode() + b"\0")
        while rest:
            rest = rest[os.write(self.commands, rest):]
        return self._number

    def command(self, method, **parameters):
        """A command's result."""
        number = self.post(method, **parameters)
        while True:
            answer = self.next_message()
            if answer.get("id") == number:
                if "error" in answer:
                    raise Failure("%s: %s" % (method, answer["error"].get("message")))
                return answer["result"]
            self.take(answer)

    def next_message(self):
        while not self._received:
            self._received.extend(self.read())
        return self._received.popleft()

    def waiting_messages(self):
        """The messages that came with one that was waited for."""
        waiting, self._received = self._received, collections.deque()
        return waiting

    def read(self):
        """The messages that one read of the pipe makes whole; waits until it has something."""
        chunk = os.read(self.answers, 1 << 20)
        if not chunk:
            raise Failure("the browser ended")
        *messages, self._rest = (self._rest + chunk).split(b"\0")
        return [json.loads(message) for message in messages]

    def take(self, message):
        if handler := self.handlers.get(message.get("method")):
            handler(message.get("params", {}))

    def bind(self, name, action):
        """Gives the page a function of that name, whose one text goes to the action."""
        self._bindings[name] = action
        self.command("Runtime.addBinding", name=name)

    def open(self, url):
        self._is_loaded = False
        problem = self.command("Page.navigate", url=url).get("errorText")
        if problem:
            raise Failure("%s: %s" % (url, problem))
        while not self._is_loaded:
            self.take(self.next_message())

    def run(self, script):
        """What the script, or its promise, comes to."""
        result = self.command("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise Failure(result["exceptionDetails"]["exception"].get("description", "an exception").split("\n")[0])
        return result["result"].get("value")

    def end(self):
        """Asks it to end, so that it removes what it keeps outside its profile, and ends it where it does not."""
        try:
            self._session = None
            self.post("Browser.close")
            self.process.wait(END_LIMIT)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.commands)
        os.close(self.answers)

    def _page_is_loaded(self, _):
        self._is_loaded = True

    def _binding_is_called(self, parameters):
        self._bindings[parameters["name"]](parameters["payload"])
