"""HTTP/3 and HTTP/2 by Chromium: fetch() in a page, whose script notes when it has each piece of an answer."""

import asyncio
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from time import monotonic_ns

from speaker_arm import SpeakerArm, SpeakerConnection, processor_seconds

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../../Interop/peers/clients"))
from chromium_browser import Browser, Failure, key_hashes, origin_of, program  # noqa: E402

MILLISECOND = 1_000_000  # nanoseconds
CLOCK_SLACK = MILLISECOND // 5
# With them a page's clock has steps of 5 µs in place of 100.
ISOLATION = {"content-type": "text/html", "cross-origin-opener-policy": "same-origin",
             "cross-origin-embedder-policy": "require-corp"}
OPTIONS = [
    # What would send packets of its own; and a page that came from no address may ask none near by without a person's
    # permission.
    "--disable-features=MediaRouter,OptimizationHints,Translate,LocalNetworkAccessChecks",
    "--disable-extensions", "--disable-default-apps", "--mute-audio"]


def software(_):
    path = program()
    if path is None:
        raise ImportError("there is no Chromium")
    words = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           check=False).stdout.split()
    return " ".join(words[:2]) or "Chromium"


class PageConnection(SpeakerConnection):
    """The page's requests. Which connections they take is the browser's decision, so none is made beforehand."""

    async def open(self):
        self.opened()


class ChromiumArm(SpeakerArm):
    def __init__(self, arm, plan):
        super().__init__(plan, software(arm))
        self.spoken = arm.removeprefix("chromium-")
        self._folder = tempfile.mkdtemp(prefix="latency-lab-chromium-")
        self._write_preferences()
        try:
            # A server sends its authority's certificate along, so that the authority's key is enough.
            self._browser = Browser([origin_of(plan.origin)], key_hashes(plan.authority_file), self._folder,
                                    has_quic=self.spoken == "h3", options=OPTIONS)
            self._open_page()
            self._origin = self._clock_origin()
        except (Failure, OSError) as failure:
            self.close()
            raise OSError("Chromium: %s" % failure) from None

    def _write_preferences(self):
        """Without them the browser connects to an origin as soon as it navigates there, before the first request."""
        os.mkdir(os.path.join(self._folder, "Default"))
        with open(os.path.join(self._folder, "Default", "Preferences"), "w", encoding="ascii") as file:
            json.dump({"net": {"network_prediction_options": 2}}, file)  # never

    def _open_page(self):
        """The page is of the origin, and nothing is sent for it: the debugging pipe gives the answer."""
        with open(os.path.join(HERE, "chromium_page.html"), "rb") as file:
            page = base64.b64encode(file.read()).decode()
        fields = [{"name": name, "value": value} for name, value in ISOLATION.items()]
        self._browser.handlers["Fetch.requestPaused"] = lambda paused: self._browser.post(
            "Fetch.fulfillRequest", requestId=paused["requestId"], responseCode=200, responseHeaders=fields, body=page)
        self._browser.bind("report", self._report)
        self._browser.command("Fetch.enable", patterns=[{"urlPattern": "*"}])
        self._browser.open(self.plan.origin + "/latency-lab")
        self._browser.command("Fetch.disable")
        step = "5 µs" if self._browser.run("crossOriginIsolated") else "100 µs"
        self.software += ", arrivals in steps of " + step

    def _clock_origin(self):
        """The time of the monotonic clock, in nanoseconds, at which the page's clock is 0.

        Chromium's own clock on Linux is the monotonic one, and the page's counts from its navigation's start, which is
        known to the microsecond. That it is so is checked against this process's clock.
        """
        self._browser.command("Performance.enable")
        metrics = {metric["name"]: metric["value"]
                   for metric in self._browser.command("Performance.getMetrics")["metrics"]}
        self._browser.command("Performance.disable")
        origin = round(metrics.get("NavigationStart", 0) * 1000 * MILLISECOND)
        before = monotonic_ns()
        now = origin + round(self._browser.run("performance.now()") * MILLISECOND)
        if not before - CLOCK_SLACK <= now <= monotonic_ns() + CLOCK_SLACK:
            raise Failure("its clock is not the monotonic one: %d ns between %d and %d" % (now, before, monotonic_ns()))
        return origin

    def _time(self, moment):
        return self._origin + round(moment * MILLISECOND)

    def _report(self, text):
        report = json.loads(text)
        if "at" in report:
            report["at"] = self._time(report["at"])
        self.take(report)

    def write(self, order):
        self._browser.post("Runtime.evaluate", expression="take(%s)" % json.dumps(order))

    def make_connection(self):
        return PageConnection(self, 1)

    def connection_opened(self, at):
        """Connections are counted by what the page says at the end."""

    def run(self, make_conductor):
        conductor = super().run(make_conductor)
        try:
            exchanges = self._browser.run("exchanges()")
        except (Failure, OSError):
            return conductor  # The browser is gone; that events are missing says so.
        # What failed has no protocol. A request for which a connection was made has the times of that.
        protocols = sorted({protocol for protocol, _, _ in exchanges if protocol})
        self.spoken = "+".join(protocols) or self.spoken
        made = [ready for protocol, begun, ready in exchanges if protocol and ready > begun]
        self.connections = len(made)
        self.connected = self._time(min(made)) if made else None
        return conductor

    async def _run(self, make_conductor):
        asyncio.get_running_loop().add_reader(self._browser.answers, self._read)
        for message in self._browser.waiting_messages():
            self._browser.take(message)
        return await super()._run(make_conductor)

    def _read(self):
        try:
            messages = self._browser.read()
        except Failure:
            asyncio.get_running_loop().remove_reader(self._browser.answers)
            self.speaker_ended()
            return
        for message in messages:
            self._browser.take(message)

    def helper_seconds(self):
        return processor_seconds(self._browser.process.pid)

    def close(self):
        if hasattr(self, "_browser"):
            self._browser.end()
        shutil.rmtree(self._folder, ignore_errors=True)
