#!/usr/bin/env python3
"""Runs one step of Tools/test and prints a line about it, and all that matters where it failed.

    step.py build|check|optional|tests NAME COMMAND…

The command's whole output goes to $TEST_LOGS/NAME.log, and what it counts for to $TEST_LOGS/counts: a line "passed failed
skipped". On a terminal the line shows meanwhile how far the step is.

  build   the compiler's progress
  check   exit status 75 (EX_TEMPFAIL) means that it cannot run here; the reason is what it said last. With CI=true it has
          failed then: there nothing that it needs may be missing
  optional  a check that may be skipped in CI too: it needs a large download, which is made by hand
  tests   `swift test`, with its events written as JSON lines (Swift Testing's stable form, version 0): counts, issues and
          reasons are taken from those. A process that ends before its run does has crashed; one in which no test moves
          for a quarter of an hour is ended.

Exit status: 0 passed or skipped, 1 failed, 130 interrupted.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

LOGS = os.environ.get("TEST_LOGS", ".build/test-logs")
CANNOT_RUN_HERE = 75
# Of a check's output, of one issue, of a crash; and failed tests that are shown. The rest is in the log.
CHECK_LINES, ISSUE_LINES, CRASH_LINES, CRASH_WIDTH, SHOWN_TESTS, SHOWN_ISSUES = 400, 40, 60, 160, 30, 10
# Seconds without an event of any test: longer than a test may last.
STALL = 900.0
CRASH = re.compile(r"Fatal error|Program crashed|Assertion .* failed|Sanitizer: |terminate called|stack smashing")
CRASHED_THREAD = re.compile(r"^Thread \d+.* crashed:")
# Lines of Swift Testing about a test that began, passed or was skipped, and a compiler's progress.
ROUTINE = re.compile(r"^([◇✔➜↳━] |\[\d+/\d+\] |\[[\d ]+\.\d+ sec\])")


class Line:
    """The step's one line, which is written anew on a terminal until it is final."""

    def __init__(self, name):
        self.name, self.began = name, time.monotonic()
        self.is_live = sys.stdout.isatty()

    def show(self, progress):
        if self.is_live:
            text = "         %s … %s" % (self.name, progress)
            sys.stdout.write("\r\033[K" + text[:shutil.get_terminal_size().columns - 1])
            sys.stdout.flush()

    def end(self, verdict, detail=""):
        if self.is_live:
            sys.stdout.write("\r\033[K")
        print(("%-8s %-28s %-24s %6.1f s" % (verdict, self.name, detail, time.monotonic() - self.began)), flush=True)


class TestEvents:
    """What Swift Testing has reported of a run so far."""

    def __init__(self):
        self.tests, self.running, self.done = {}, {}, set()
        self.failed, self.skipped = {}, {}
        self.strays, self.has_begun, self.has_ended = [], False, False

    def take(self, line):
        try:
            record = json.loads(line)
        except ValueError:
            return  # The process was killed while it wrote.
        payload = record.get("payload", {})
        if record.get("kind") == "test":
            if payload.get("kind") == "function":
                self.tests[payload["id"]] = payload
        elif record.get("kind") == "event":
            self.take_event(payload)

    def take_event(self, event):
        kind, test = event.get("kind"), event.get("testID")
        messages = event.get("messages", [])
        symbol = messages[0].get("symbol") if messages else None
        if kind == "runStarted":
            self.has_begun = True
        elif kind == "runEnded":
            self.has_ended = True
        elif kind == "issueRecorded" and not event.get("issue", {}).get("isKnown") and symbol in ("fail", None):
            (self.failed.setdefault(test, []) if test in self.tests else self.strays).append(event)
        elif test not in self.tests:
            return
        elif kind == "testStarted":
            self.running[test] = True
        elif kind == "testSkipped" or kind == "testEnded":
            self.running.pop(test, None)
            self.done.add(test)
            if kind == "testSkipped" or symbol == "skip":
                self.skipped[test] = self.reason(event, messages)
            elif symbol == "fail":
                self.failed.setdefault(test, [])

    @staticmethod
    def reason(event, messages):
        words = " ".join(event.get("_comments") or [])
        if not words and messages:
            words = messages[0].get("text", "").partition(": ")[2].strip('"')
        return words or "no reason is given"

    def name(self, test):
        """The suite and the function, such as `EventLoopTests/timersFireInOrder()`."""
        return re.sub(r"/[^/]*\.swift:\d+:\d+$", "", test).partition(".")[2]


def indented(text, indent, limit):
    lines = text.rstrip("\n").split("\n")
    if len(lines) > limit:
        lines = lines[:limit] + ["… and %d lines more" % (len(lines) - limit)]
    return "\n".join(indent + line for line in lines)


def place(issue):
    location = issue.get("issue", {}).get("sourceLocation") or {}
    path = location.get("filePath") or location.get("_filePath") or location.get("fileID") or ""
    if not path:
        return ""
    return "%s:%s: " % (os.path.relpath(path) if path.startswith("/") else path, location.get("line", "?"))


def show_issue(event):
    texts = [message.get("text", "") for message in event.get("messages", [])] or ["an issue without words"]
    case = (event.get("_testCase") or {}).get("displayName")
    print(indented(place(event) + texts[0] + (" [%s]" % case if case else ""), "      ", ISSUE_LINES))
    for text in texts[1:]:
        print(indented(text, "        ", ISSUE_LINES))


def show_failed_tests(events):
    for test, issues in list(events.failed.items())[:SHOWN_TESTS]:
        print("    ✘ " + events.name(test))
        for issue in issues[:SHOWN_ISSUES]:
            show_issue(issue)
        if len(issues) > SHOWN_ISSUES:
            print("      … and %d issues more" % (len(issues) - SHOWN_ISSUES))
    if len(events.failed) > SHOWN_TESTS:
        print("    … and %d tests more" % (len(events.failed) - SHOWN_TESTS))
    for issue in events.strays[:SHOWN_ISSUES]:
        show_issue(issue)


def show_skipped_tests(events):
    reasons = {}
    for test, reason in events.skipped.items():
        reasons.setdefault(reason, []).append(events.name(test))
    for reason, names in reasons.items():
        who = ", ".join(names) if len(names) <= 3 else "%d tests" % len(names)
        print(indented("skipped: %s: %s" % (who, reason), "    ", 5))


def lines_of(log):
    with open(log, encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()


def show_crash(lines):
    """What was said first of the crash and the calls that led to it, else the last lines."""
    lines = [line[:CRASH_WIDTH] for line in lines if not ROUTINE.match(line)]
    first = next((number for number, line in enumerate(lines) if CRASH.search(line)), None)
    thread = next((number for number, line in enumerate(lines) if CRASHED_THREAD.match(line)), None)
    if first is None:
        shown = lines[-CRASH_LINES:]
    elif thread is None:
        shown = lines[first:][:CRASH_LINES]
    else:
        shown = lines[first:min(first + 5, thread)] + lines[thread:][:CRASH_LINES // 2]
    ends = [line for line in lines if "unexpected signal" in line and line not in shown]
    print("\n".join("      " + line for line in shown + ends))


def show_output(lines):
    shown = [line for line in lines if not ROUTINE.match(line)]
    if len(shown) > CHECK_LINES:
        print("      … %d lines before these" % (len(shown) - CHECK_LINES))
    print("\n".join("      " + line for line in shown[-CHECK_LINES:]))


def run(command, log, line, progress):
    """Runs the command to its end; its exit status, and whether it was ended because nothing moved any more.

    `progress` gives words for the line, and a value that changes as long as the command gets on; None where nobody knows.
    """
    with open(log, "wb") as output:
        # A group of its own, so that all that it has started can be ended with it.
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        last, moved = None, time.monotonic()
        try:
            while True:
                try:
                    return child.wait(timeout=0.3), False
                except subprocess.TimeoutExpired:
                    words, mark = progress()
                line.show(words)
                if mark is None or mark != last:
                    last, moved = mark, time.monotonic()
                elif time.monotonic() - moved > STALL:
                    end(child)
                    return child.wait(), True
        except KeyboardInterrupt:
            end(child)
            raise


def end(child):
    """Asks the command and what it has started to end, and kills what does not within ten seconds."""
    for number in (signal.SIGINT, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
            child.wait(timeout=10)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


def count(passed, failed, skipped):
    with open(os.path.join(LOGS, "counts"), "a", encoding="utf-8") as file:
        print(passed, failed, skipped, file=file)


def compile_progress(log):
    def progress():
        with open(log, "rb") as file:
            file.seek(max(0, os.path.getsize(log) - 4_096))
            found = re.findall(rb"\[(\d+)/(\d+)\]", file.read())
        return "%s of %s" % tuple(part.decode() for part in found[-1]) if found else "", None
    return progress


def plain(kind, name, command, log):
    line = Line(name)
    status, _ = run(command, log, line, compile_progress(log) if kind == "build" else lambda: ("", None))
    output = lines_of(log)
    if status == 0:
        line.end("passed")
        if kind != "build":
            count(1, 0, 0)
            # What a check could not do of its own.
            for words in [words.strip() for words in output if re.search(r"\bskipped\b", words, re.I)][:10]:
                print("    " + words)
        return 0
    is_needed = kind == "check" and os.environ.get("CI") == "true"
    if status == CANNOT_RUN_HERE and kind != "build" and not is_needed:
        line.end("skipped")
        count(0, 0, 1)
        reasons = [words.strip() for words in output if words.strip()][-5:]
        print("\n".join("    " + words for words in reasons or ["no reason is given"]))
        return 0
    if status == CANNOT_RUN_HERE and is_needed:
        line.end("FAILED", "skipped, in CI")
    else:
        line.end("FAILED", "signal %d" % -status if status < 0 else "exit status %d" % status)
    count(0, 1, 0)
    show_output(output)
    return 1


def tests(name, command, log):
    line, events, path = Line(name), TestEvents(), log + ".events"
    if os.path.exists(path):
        os.remove(path)
    rest, offset = b"", 0

    def read():
        nonlocal rest, offset
        if not os.path.exists(path):
            return "starts", offset
        with open(path, "rb") as file:
            file.seek(offset)
            new = file.read()
        offset += len(new)
        *whole, rest = (rest + new).split(b"\n")
        for record in whole:
            events.take(record)
        return "%d of %d" % (len(events.done), len(events.tests)), offset

    command = command + ["--event-stream-output-path", path, "--event-stream-version", "0"]
    status, has_stalled = run(command, log, line, read)
    read()
    events.take(rest)
    if os.path.exists(path):
        os.remove(path)
    output = lines_of(log)
    has_crashed = has_stalled or status != 0 and not events.has_ended
    # What is wrong and no test's.
    others = 1 if has_crashed or status != 0 and not events.failed else 0
    failed, skipped = len(events.failed) + others, len(events.skipped)
    passed = len(events.done - events.failed.keys() - events.skipped.keys())
    detail = "%d test%s" % (passed + len(events.failed), "" if passed + len(events.failed) == 1 else "s")
    if skipped:
        detail += ", %d skipped" % skipped
    if not events.has_begun and status == 0:
        # It was asked for something else, as for a list.
        line.end("done")
        print("\n".join(output))
        return 0
    count(passed, failed, skipped)
    if failed:
        early = "stopped" if has_stalled else "ended early"
        line.end("FAILED", early if has_crashed else "%d of %s" % (len(events.failed), detail))
        show_failed_tests(events)
        if has_crashed and events.has_begun:
            names = [events.name(test) for test in events.running]
            if has_stalled:
                print("    Nothing has happened for %d minutes, so the tests were stopped." % (STALL / 60))
            print("    Of %d tests %d had not begun when the process ended; these ran:" % (
                len(events.tests), len(events.tests) - len(events.done) - len(names)))
            print("      " + ", ".join(names[:SHOWN_TESTS]) + (" …" if len(names) > SHOWN_TESTS else ""))
            show_crash(output)
        elif others:
            show_output(output[-CRASH_LINES:])
    else:
        line.end("passed", detail)
    show_skipped_tests(events)
    sys.stdout.flush()
    return 1 if failed else 0


def interrupted(_number, _frame):
    raise KeyboardInterrupt


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in ("build", "check", "optional", "tests"):
        sys.exit(__doc__)
    kind, name, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    os.makedirs(LOGS, exist_ok=True)
    log = os.path.join(LOGS, re.sub(r"[^A-Za-z0-9._-]+", "-", name) + ".log")
    signal.signal(signal.SIGTERM, interrupted)
    signal.signal(signal.SIGHUP, interrupted)
    try:
        return tests(name, command, log) if kind == "tests" else plain(kind, name, command, log)
    except KeyboardInterrupt:
        print("\n%s was interrupted" % name)
        return 130


if __name__ == "__main__":
    sys.exit(main())
