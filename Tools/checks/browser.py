"""Chromium without a window, driven over its DevTools protocol by two pipes; for the checks in this folder's parent."""

import base64
import json
import os
import queue
import shutil
import subprocess
import threading
import time

from programs import CheckFailed

LIMIT = 30.0  # seconds until the browser must have answered


def chromium():
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """A browser with a profile of its own in a folder, and its pages."""

    def __init__(self, folder, *options):
        self.messages = queue.Queue()
        self.waiting, self.pages, self.number = {}, {}, 0
        self.lock = threading.Lock()
        command_end, self.commands = os.pipe()
        self.replies, reply_end = os.pipe()
        arguments = [
            chromium(), "--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + os.path.join(folder, "profile"),
            "--no-first-run", "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars", "--password-store=basic", "--lang=en-GB",
            *options, "about:blank"]
        if os.geteuid() == 0:
            # Its sandbox refuses to start as root; what it loads here is our own.
            arguments.insert(1, "--no-sandbox")
        # It reads commands from 3 and writes replies to 4, which may be anything in this process.
        self.errors = open(os.path.join(folder, "chromium.log"), "wb")
        self.process = subprocess.Popen(
            ["bash", "-c", 'exec "$@" 3<&%d 4>&%d' % (command_end, reply_end), "bash", *arguments],
            pass_fds=(command_end, reply_end), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.errors,
            start_new_session=True)
        os.close(command_end)
        os.close(reply_end)
        threading.Thread(target=self._read, daemon=True).start()
        self.version = self.call("Browser.getVersion")["product"]

    def _read(self):
        rest = b""
        while True:
            try:
                part = os.read(self.replies, 1 << 16)
            except OSError:
                part = b""
            if not part:
                break
            *messages, rest = (rest + part).split(b"\0")
            for message in messages:
                self._take(json.loads(message))
        with self.lock:
            left = list(self.waiting.values())
        for answer in left:
            answer.put({"error": {"message": "the browser has ended"}})

    def _take(self, message):
        if "id" in message:
            with self.lock:
                answer = self.waiting.pop(message["id"], None)
            if answer is not None:
                answer.put(message)
        elif message.get("sessionId") in self.pages:
            self.pages[message["sessionId"]].take(message["method"], message["params"])

    def call(self, method, session=None, limit=LIMIT, **parameters):
        answer = queue.Queue()
        with self.lock:
            self.number += 1
            number = self.number
            self.waiting[number] = answer
            message = {"id": number, "method": method, "params": parameters}
            if session:
                message["sessionId"] = session
            os.write(self.commands, json.dumps(message).encode() + b"\0")
        try:
            reply = answer.get(timeout=limit)
        except queue.Empty:
            raise CheckFailed("the browser did not answer %s" % method) from None
        if "error" in reply:
            raise CheckFailed("%s: %s" % (method, reply["error"]["message"]))
        return reply["result"]

    def page(self, url="about:blank", context=None):
        more = {"browserContextId": context} if context else {}
        target = self.call("Target.createTarget", url="about:blank", **more)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        if url != "about:blank":
            page.go(url)
        return page

    def close(self):
        try:
            self.call("Browser.close", limit=10)
            self.process.wait(10)
        except (CheckFailed, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.commands)
        self.errors.close()


class Page:
    """One page: what it shows, what it logs, which protocols its responses came by."""

    def __init__(self, browser, session, target):
        self.browser, self.session, self.target = browser, session, target
        self.complaints, self.responses = [], []
        browser.pages[session] = self
        for domain in ("Page", "Runtime", "Network", "Log", "Audits"):
            self.call(domain + ".enable")

    def call(self, method, **parameters):
        return self.browser.call(method, session=self.session, **parameters)

    def take(self, method, parameters):
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append("exception: %s" % details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert", "warning"):
            words = [each.get("value") or each.get("description") for each in parameters["args"]]
            self.complaints.append("console: %s" % words)
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            entry = parameters["entry"]
            self.complaints.append("log: %s %s" % (entry["text"], entry.get("url", "")))
        elif method == "Audits.issueAdded":
            issue = parameters["issue"]
            if issue["code"] in ("ContentSecurityPolicyIssue", "CookieIssue", "MixedContentIssue", "CorsIssue"):
                self.complaints.append("issue: %s %s" % (issue["code"], json.dumps(issue["details"])[:600]))
        elif method == "Network.responseReceived":
            response = parameters["response"]
            self.responses.append((response["url"], response["status"], response.get("protocol", "")))

    def go(self, url):
        answer = self.call("Page.navigate", url=url)
        if "errorText" in answer:
            raise CheckFailed("%s: %s" % (url, answer["errorText"]))

    def run(self, script, **options):
        """What an expression gives; a promise is awaited."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, **options)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise CheckFailed("the page's script: %s" % details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def until(self, script, seconds=LIMIT):
        """What an expression gives, once it is true; what is not there yet is not true."""
        attempt = "(() => { try { const it = (%s); return it instanceof Node || it; } catch { return false; } })()" % script
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                value = self.run(attempt)
                if value:
                    return value
            except CheckFailed as failure:
                if "Cannot find context" not in str(failure) and "navigated" not in str(failure):
                    raise
            time.sleep(0.05)
        raise CheckFailed("waited %g s in vain for %s; the page says: %s; its complaints: %s" % (
            seconds, script, self.text()[-1500:], self.complaints[-5:]))

    def text(self):
        return self.run("document.body ? document.body.innerText : ''") or ""

    def click(self, selector):
        """A click by the mouse where the element is, as a person does it: what covers it gets the click."""
        place = self.until("""(() => {
          const element = document.querySelector(%s);
          if (!element || element.disabled) return null;
          element.scrollIntoView({ block: "nearest" });
          const box = element.getBoundingClientRect();
          const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
          const there = document.elementFromPoint(x, y);
          return box.width > 0 && there && (element === there || element.contains(there)) ? [x, y] : null;
        })()""" % json.dumps(selector))
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def write(self, text):
        self.call("Input.insertText", text=text)

    def key(self, name, code=None, modifiers=0):
        codes = {"Enter": 13, "Tab": 9, "Escape": 27, "Backspace": 8, " ": 32}
        for kind in ("keyDown", "keyUp"):
            more = {"text": "\r"} if name == "Enter" and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=code or name, modifiers=modifiers,
                      windowsVirtualKeyCode=codes.get(name, 0), **more)

    def size(self, width, height, scale=2, mobile=True):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=mobile)

    def prefer(self, **features):
        names = {"scheme": "prefers-color-scheme", "motion": "prefers-reduced-motion"}
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": names[name], "value": value} for name, value in features.items()])

    def picture(self, path):
        # One behind another is not drawn.
        self.call("Page.bringToFront")
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
