"""Chromium, steered through its debugging pipe.

    chromium_client.py                      fetches REQUESTS into DOWNLOADS from one page, all at once
    chromium_client.py request METHOD URL [--field 'NAME: VALUE']… [--body TEXT] [--event-source TYPE,…]

The second form opens the origin's /health as a page over HTTP/3 and makes the request from it, with fetch() or, with
the types of its events, with an EventSource; an event goes to standard output as a stream has it. `protocol P …` on
standard error is what the page's performance entries say (nextHopProtocol): of the page itself, then of the request.
Trusted are the keys of AUTHORITY and of cert.pem in CERTS; PROFILE is a folder for this run.
"""

import argparse
import base64
import json
import os
import sys
import urllib.parse

from chromium_browser import Browser, Failure, key_hashes, origin_of

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


def open_browser(origins, take, options=()):
    """A browser whose page hands pieces of bodies, with their requests' numbers, to `take`."""
    keys = key_hashes(os.environ["AUTHORITY"], os.path.join(os.environ.get("CERTS", ""), "cert.pem"))
    browser = Browser(origins, keys, os.environ["PROFILE"], options=options)

    def deliver(text):
        number, _, piece = text.partition(" ")
        take(int(number), base64.b64decode(piece))

    browser.bind("note", lambda text: print(text, file=sys.stderr, flush=True))
    browser.bind("deliver", deliver)
    return browser


def run(browser, script, **values):
    return browser.run(script % {name: json.dumps(value) for name, value in values.items()})


def download(requests):
    names = [os.path.basename(urllib.parse.urlsplit(url).path) for url in requests]

    def take(number, chunk):
        with open(os.path.join(os.environ["DOWNLOADS"], names[number]), "ab") as file:
            file.write(chunk)

    # One page of no origin, which may ask any.
    browser = open_browser({origin_of(url) for url in requests}, take, ["--disable-web-security"])
    try:
        run(browser, FETCH, urls=requests, method="GET", body=None)
    finally:
        browser.end()


def request(options):
    def take(_, chunk):
        sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()

    browser = open_browser([origin_of(options.url)], take)
    try:
        browser.open("https://%s/health" % origin_of(options.url))
        # An EventSource sets no fields itself.
        browser.command("Network.enable")
        browser.command("Network.setExtraHTTPHeaders", headers=dict(field.split(": ", 1) for field in options.field))
        if options.event_source:
            run(browser, EVENT_SOURCE, url=options.url, types=options.event_source.split(","))
        else:
            run(browser, FETCH, urls=[options.url], method=options.method, body=options.body)
        print("protocol " + run(browser, PROTOCOLS, url=options.url), file=sys.stderr, flush=True)
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
