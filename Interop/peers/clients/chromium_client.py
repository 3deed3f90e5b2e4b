"""Chromium, steered through its debugging pipe.

    chromium_client.py                      fetches REQUESTS into DOWNLOADS from one page, all at once
    chromium_client.py request METHOD URL [--field 'NAME: VALUE']… [--body TEXT] [--event-source TYPE,…]

The second form opens the origin's /health as a page over HTTP/3 and makes the request from it, with fetch() or, with the
types of its events, with an EventSource; an event goes to standard output as a stream has it. `protocol P …` on standard
error is what the page's performance entries say (nextHopProtocol): of the page itself, then of the request.
SPKI_HASHES are the keys to trust, as Chromium wants them; PROFILE is a folder for this run.
"""

import argparse
import base64
import json
import os
import subprocess
import sys
import urllib.parse

# fetch(): the pieces as they come, with the request's number; a hundred requests at once.
FETCH = """(async () => {
  const urls = %(urls)s;
  const one = async number => {
    const answer = await fetch(urls[number], {method: %(method)s, body: %(body)s, cache: "no-store"});
    note("status " + answer.status);
    const reader = answer.body.getReader();
    for (;;) {
      const {done, value} = await reader.read();
      if (done) break;
      let text = "";
      for (let at = 0; at < value.length; at += 32768) text += String.fromCharCode(...value.subarray(at, at + 32768));
      deliver(number + " " + btoa(text));
    }
  };
  let next = 0;
  const several = async () => { while (next < urls.length) await one(next++); };
  await Promise.all(Array.from({length: 100}, several));
})()"""

EVENT_SOURCE = """new Promise(resolve => {
  const source = new EventSource(%(url)s), encoder = new TextEncoder();
  source.onopen = () => { note("status 200"); deliver("0 " + btoa(": open\\n\\n")); };
  for (const type of %(types)s)
    source.addEventListener(type, event => {
      // The end of the stream is reported under the name of "error" too.
      if (event.data === undefined) return;
      deliver("0 " + btoa(String.fromCharCode(
        ...encoder.encode(`id: ${event.lastEventId}\\nevent: ${type}\\ndata: ${event.data}\\n\\n`))));
    });
  source.onerror = () => { source.close(); resolve(); };
})"""

# The entry of a request is there when its body has ended, so an EventSource's is waited for.
PROTOCOLS = """new Promise(resolve => {
  const reported = () => {
    const entries = [...performance.getEntriesByType("navigation"),
      ...performance.getEntriesByType("resource").filter(entry => entry.name === %(url)s)];
    if (entries.length > 1) resolve(entries.map(entry => entry.nextHopProtocol || "?").join(" "));
  };
  new PerformanceObserver(reported).observe({type: "resource", buffered: true});
  setTimeout(() => resolve("none"), 2000);
})"""


class Failure(Exception):
    """What the browser says."""


class Browser:
    def __init__(self, origins, options=()):
        read_end, self.commands = os.pipe()
        self.answers, write_end = os.pipe()
        hosts = sorted({origin.rpartition(":")[0].strip("[]") for origin in origins})
        arguments = [
            os.environ.get("CHROMIUM", "chromium"), "--headless=new", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--no-proxy-server", "--remote-debugging-pipe", "--enable-quic",
            "--user-data-dir=" + os.environ["PROFILE"], "--origin-to-force-quic-on=" + ",".join(origins),
            "--ignore-certificate-errors-spki-list=" + os.environ["SPKI_HASHES"],
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
        self.rest, self.number, self.waiting, self.session = b"", 0, [], None
        targets = self.command("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self.session = self.command("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for name in ("Page", "Runtime", "Network"):
            self.command(name + ".enable")
        for name in ("note", "deliver"):
            self.command("Runtime.addBinding", name=name)
        self.take, self.loaded = None, False

    def command(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Failure("%s: %s" % (method, answer["error"].get("message")))
                return answer["result"]
            self.event(answer)

    def receive(self):
        while b"\0" not in self.rest:
            chunk = os.read(self.answers, 1 << 20)
            if not chunk:
                raise Failure("the browser ended")
            self.rest += chunk
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def event(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.bindingCalled" and parameters["name"] == "note":
            print(parameters["payload"], file=sys.stderr, flush=True)
        elif method == "Runtime.bindingCalled":
            number, _, piece = parameters["payload"].partition(" ")
            self.take(int(number), base64.b64decode(piece))

    def open(self, url):
        self.loaded = False
        problem = self.command("Page.navigate", url=url).get("errorText")
        if problem:
            raise Failure("%s: %s" % (url, problem))
        while not self.loaded:
            self.event(self.receive())

    def run(self, script, **values):
        """What the script's promise comes to; its pieces go to self.take."""
        expression = script % {name: json.dumps(value) for name, value in values.items()}
        result = self.command("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise Failure(result["exceptionDetails"]["exception"].get("description", "an exception").split("\n")[0])
        return result["result"].get("value")

    def end(self):
        self.process.kill()
        self.process.wait()


def origin_of(url):
    parts = urllib.parse.urlsplit(url)
    host = "[%s]" % parts.hostname if ":" in parts.hostname else parts.hostname
    return "%s:%d" % (host, parts.port or 443)


def download(requests):
    # One page of no origin, which may ask any.
    browser = Browser({origin_of(url) for url in requests}, ["--disable-web-security"])
    try:
        names = [os.path.basename(urllib.parse.urlsplit(url).path) for url in requests]

        def take(number, chunk):
            with open(os.path.join(os.environ["DOWNLOADS"], names[number]), "ab") as file:
                file.write(chunk)

        browser.take = take
        browser.run(FETCH, urls=requests, method="GET", body=None)
    finally:
        browser.end()


def request(options):
    def take(_, chunk):
        sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()

    browser = Browser([origin_of(options.url)])
    try:
        browser.take = take
        browser.open("https://%s/health" % origin_of(options.url))
        # An EventSource sets no fields itself.
        browser.command("Network.setExtraHTTPHeaders", headers=dict(field.split(": ", 1) for field in options.field))
        if options.event_source:
            browser.run(EVENT_SOURCE, url=options.url, types=options.event_source.split(","))
        else:
            browser.run(FETCH, urls=[options.url], method=options.method, body=options.body)
        print("protocol " + browser.run(PROTOCOLS, url=options.url), file=sys.stderr, flush=True)
    finally:
        browser.end()


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command")
    asked = commands.add_parser("request")
    asked.add_argument("method")
    asked.add_argument("url")
    asked.add_argument("--field", action="append", default=[])
    asked.add_argument("--body")
    asked.add_argument("--event-source")
    options = parser.parse_args()
    try:
        if options.command:
            request(options)
        else:
            download(os.environ["REQUESTS"].split())
    except (Failure, OSError) as failure:
        print("chromium: %s" % failure, file=sys.stderr)
        return 1
    return 0


sys.exit(main())
