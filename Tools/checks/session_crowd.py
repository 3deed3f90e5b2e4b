"""A crowd of readers that follow sessions through backends, `bench session-crowd`, and whether what they saw is the log."""

import json
import os

import programs
from backend_group import BackendGroup
from event_log import stored_events
from programs import CheckFailed, Child

LEASE = 2.0  # seconds


class Crowd:
    """Backends on one database, and a process that talks in sessions and follows them with all readers."""

    def __init__(self, options, folder):
        self.records, self.options = os.path.join(folder, "records"), options
        os.mkdir(self.records)
        # Each may have all readers, when the others are gone.
        self.group = BackendGroup(
            folder, options.backends, rate=options.rate, settings=("max_connections=200",), options=(
                "--turn-lease", str(LEASE), "--streams-per-session", str(max(64, options.readers)), "--log-level", "error"))
        self.memory, self.processor, self.kills, self.process = 0, 0.0, 0, None

    @property
    def cluster(self):
        return self.group.cluster

    def start(self):
        options, first = self.options, self.group.members[0]
        arguments = [
            programs.program("bench"), "session-crowd", "--authority", first.certificate, "--api-key-file", first.key_file,
            "--sessions", str(options.sessions), "--readers", str(options.readers), "--seconds", str(options.seconds),
            "--words", str(options.words), "--pace", str(options.pace), "--folder", self.records]
        for member in self.group.members:
            arguments += ["--backend", "https://localhost:%d" % member.port]
        self.process = Child(arguments)

    def is_over(self, seconds):
        try:
            self.process.process.wait(seconds)
            return True
        except programs.subprocess.TimeoutExpired:
            return False

    def kill(self, generator):
        member = generator.choice(self.group.members)
        self.weigh(member)
        self.kills += 1
        self.group.restart(member)
        return "backend %d killed" % self.group.members.index(
            next(other for other in self.group.members if other.port == member.port))

    def weigh(self, member):
        """Notes what a backend that is to end has used."""
        try:
            with open("/proc/%d/stat" % member.process.pid, encoding="ascii") as file:
                fields = file.read().rsplit(") ", 1)[1].split()
            self.processor += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # utime and stime, proc(5)
            with open("/proc/%d/status" % member.process.pid, encoding="ascii") as file:
                self.memory = max([self.memory] + [
                    int(line.split()[1]) for line in file if line.startswith("VmHWM:")])
        except OSError:
            pass  # it is gone

    def judge(self):
        """Compares what every reader saw with the log; answers a report, in lines."""
        status = self.process.wait(self.options.seconds + 300)
        if status != 0:
            raise CheckFailed("session-crowd ended with status %d: %s" % (status, self.process.errors.text()[-1000:]))
        outcome = json.loads(self.process.output.text().splitlines()[-1])
        if outcome["failures"]:
            raise CheckFailed("; ".join(outcome["failures"]))
        for member in self.group.members:
            self.weigh(member)
        events = sum(self.compare(session["id"], session["last"]) for session in outcome["sessions"])
        interruptions = int(self.cluster.run("SELECT count(*) FROM turns WHERE status = 'interrupted'"))
        turns = int(self.cluster.run("SELECT count(*) FROM turns"))
        tally, took = outcome["tally"], outcome["took"]
        return [
            "%d events of %d sessions and %d turns, %d of them interrupted, to %d readers over %d backends in %.0f s: %.0f a "
            "second stored, %.0f delivered" % (
                events, self.options.sessions, turns, interruptions, self.options.readers, self.options.backends, took,
                events / took, tally["deliveries"] / took),
            "%d deliveries in %d pieces, every reader's equal to the ledger; %d kills, %d streams taken up anew" % (
                tally["deliveries"], tally["pieces"], self.kills, tally["reconnections"]),
            "an event came after %d ms (p50), %d ms (p99), %.1f s (slowest); no reader waited longer than %.1f s for the next; "
            "at most %.0f MiB a backend" % (
                tally["p50"], tally["p99"], tally["slowest"] / 1e3, tally["silence"] / 1e3, self.memory / 1024),
            "of a processor the backends took %.2f, the readers %.2f" % (self.processor / took, outcome["processor"] / took)]

    def compare(self, session, last):
        """The first reader's record with the ledger; the other readers' digests were compared with that reader's."""
        stored = stored_events(self.cluster.url, session)
        with open(os.path.join(self.records, session), encoding="utf-8") as file:
            seen = [json.loads(line) for line in file]
        if [number for number, _, _ in stored] != list(range(1, last + 1)) or len(seen) != last:
            raise CheckFailed("session %s has %d events, %d were seen, up to %d" % (session, len(stored), len(seen), last))
        turn, text = None, ""
        for (number, kind, payload), event in zip(stored, seen):
            head, body = payload.split(b"\n", 1)
            if json.loads(head)[0] != turn:
                turn, text = json.loads(head)[0], ""
            if kind == "assistant_text_delta":
                text += body.decode()
                expected = {"delta": body.decode(), "accumulated": text}
            else:
                expected = json.loads(body)
            if (event["event_id"], event["type"], event["turn_id"], event["payload"]) != (str(number), kind, turn, expected):
                raise CheckFailed("event %d of session %s is %r, and was seen as %r" % (number, session, expected, event))
        return last

    def end(self):
        if self.process is not None:
            self.process.end()
        self.group.end()
