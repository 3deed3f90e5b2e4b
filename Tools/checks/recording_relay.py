"""A relay that passes each chunk on at once and records when it came."""

import time

from relay import Relay


class RecordingRelay(Relay):
    """`recorded` are the (seconds of the monotonic clock, bytes) that the target has sent."""

    def __init__(self, target, authority=None):
        self.recorded = []
        super().__init__(target, authority=authority)

    def take(self):
        """What was recorded since the last time."""
        recorded, self.recorded = self.recorded, []
        return recorded

    def passing(self, chunk, connection):
        self.recorded.append((time.monotonic(), chunk))
        return chunk
