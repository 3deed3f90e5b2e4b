"""What a run asks of a client: the plan file that `latency-lab` writes (Workload/ClientPlan.swift)."""

import json
import urllib.parse

NANOSECONDS_A_MILLISECOND = 1_000_000
DEFAULT_IDLE_TIMEOUT = 25_000_000_000
IDLE_TIMEOUT_MARGIN = 5_000_000_000  # more than the longest silence that the schedule has


class PlanError(Exception):
    """Says which key of the plan is wrong and what it may be."""


class Plan:
    """All times are nanoseconds; offsets count from the schedule's start."""

    def __init__(self, content):
        if not isinstance(content, dict):
            raise PlanError("the plan is not a JSON object")
        self.origin = text(content, "origin").rstrip("/")
        address = urllib.parse.urlsplit(self.origin)
        try:
            self.host, self.port = address.hostname, address.port or 443
        except ValueError as error:
            raise PlanError("'origin' is '%s': %s" % (self.origin, error)) from None
        if address.scheme != "https" or not self.host or address.path:
            raise PlanError("'origin' is '%s'; it has to be as https://198.18.1.100:4433" % self.origin)
        self.authority = address.netloc
        self.authority_file = text(content, "authorityFile")
        self.offsets = offsets(content)
        self.lead = milliseconds(content, "leadMilliseconds")
        self.deadline = milliseconds(content, "deadlineMilliseconds")
        self.tool_sequence = count(content, "toolSequence", 0)
        self.download_bytes = count(content, "downloadBytes", 1)
        self.idle_timeout = self._idle_timeout(content)
        if not self.offsets and self.download_bytes is None:
            raise PlanError("'offsetsNanoseconds' has no stream, and there is no 'downloadBytes'")

    def _idle_timeout(self, content):
        """Silence after which a stream counts as broken: what the plan says, else as all clients of the lab have it."""
        if content.get("idleTimeoutMilliseconds") is not None:
            return milliseconds(content, "idleTimeoutMilliseconds")
        longest = max((later - earlier for stream in self.offsets
                       for earlier, later in zip([-self.lead] + stream, stream)), default=0)
        return max(DEFAULT_IDLE_TIMEOUT, longest + IDLE_TIMEOUT_MARGIN)

    @classmethod
    def read(cls, path):
        try:
            with open(path, encoding="utf-8") as file:
                plan = cls(json.load(file))
            with open(plan.authority_file, "rb"):
                return plan
        except (OSError, ValueError, PlanError) as error:
            raise PlanError("%s: %s" % (path, error)) from None


def text(content, key):
    value = content.get(key)
    if not isinstance(value, str) or not value:
        raise PlanError("'%s' has to be a text" % key)
    return value


def milliseconds(content, key):
    value = content.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 86_400_000:
        raise PlanError("'%s' has to be a number of milliseconds from 0 to 86400000" % key)
    return round(value * NANOSECONDS_A_MILLISECOND)


def count(content, key, smallest):
    value = content.get(key)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < smallest):
        raise PlanError("'%s' has to be a whole number from %d, or null" % (key, smallest))
    return value


def offsets(content):
    value = content.get("offsetsNanoseconds")
    if not isinstance(value, list) or not all(isinstance(stream, list) for stream in value):
        raise PlanError("'offsetsNanoseconds' has to be a list of lists")
    if not all(isinstance(offset, int) and not isinstance(offset, bool) for stream in value for offset in stream):
        raise PlanError("'offsetsNanoseconds' has to hold whole numbers")
    return value
