"""The companion's page in Chromium, paired by the workstation's code; for the checks in this folder's parent."""

import base64
import hashlib
import json
import subprocess

from browser import Browser
from companion import wait_until

# Keeps what the event stream gives the page, each with its number, before the page makes anything of it.
RECORD = """(() => {
  const stream = conversation.stream, take = stream.handlers.event;
  window.recorded = [];
  stream.handlers.event = (name, payload, timestamp) => {
    window.recorded.push([stream.cursor, name, JSON.stringify(payload)]);
    take(name, payload, timestamp);
  };
  window.recordedStream = stream;
  return true;
})()"""


def key_hash(certificate):
    """SHA-256 of a certificate's public key, as Chromium's switch has it."""
    def openssl(words, contents=None):
        return subprocess.run(["openssl", *words.split()], input=contents, check=True, capture_output=True).stdout

    der = openssl("pkey -pubin -outform der", openssl("x509 -pubkey -noout -in " + certificate))
    return base64.b64encode(hashlib.sha256(der).digest()).decode()


def browser_for(machine, folder):
    """A browser that trusts the machine's companion, and reaches it over HTTP/3 at once."""
    return Browser(
        folder, "--ignore-certificate-errors-spki-list=" + key_hash(machine.certificate),
        "--origin-to-force-quic-on=127.0.0.1:%d" % machine.port,
        # Its microphone is made up, and nobody is asked about it.
        "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")


class WatchingPage:
    """A page that shows one chat, and keeps the events that came to it."""

    def __init__(self, machine, folder):
        self.machine = machine
        self.browser = browser_for(machine, folder)
        self.page = self.browser.page()

    def pair(self):
        address = self.machine.command("pair", "--browser").split()[0]
        self.page.go(address)
        self.page.until("!document.querySelector('#pair').hidden")
        self.page.key("Enter")
        wait_until(lambda: self.machine.command("confirm").split())
        self.machine.command("confirm", address.split("#")[1].split(".")[0], "--allow")
        self.page.until("!document.querySelector('#app').hidden")

    def watch(self, chat):
        """Opens a chat. What the page has of it from then on is kept."""
        self.page.run("location.hash = %s; true" % json.dumps("#chat/" + chat))
        self.page.until("conversation.chat?.id === %s && !conversation.held && conversation.stream.isOpen" % json.dumps(chat))
        self.page.run(RECORD)

    def events(self):
        """The recorded events by their numbers: names and payloads."""
        found = {}
        for number, name, payload in self.page.run("window.recorded"):
            # A question that waits is reported once more where the stream begins again, under a number that was there.
            found.setdefault(number, (name, json.loads(payload)))
        return found

    def is_whole(self):
        """Whether the stream of which the events were kept is still the one that is shown."""
        return self.page.run("conversation.stream === window.recordedStream")

    def answers(self):
        """Codex's texts as they are shown."""
        return self.page.run("[...document.querySelectorAll('#log .agent .prose')].map((each) => each.innerText.trim())")

    def close(self):
        self.browser.close()
