"""One request and its answer, as a transport and those who ask see it."""


class Exchange:
    """The transport calls began, arrived and over, from wherever it reads bytes; the functions get what matters."""

    def __init__(self, path, body=None, accept="*/*"):
        self.path, self.body, self.accept = path, body, accept
        self.requested = None  # nanoseconds
        self.status = None
        self.is_over = False
        self.on_bytes = lambda chunk, at: True  # answers whether to continue
        self.on_end = lambda reason: None

    @property
    def method(self):
        return "GET" if self.body is None else "POST"

    def fields(self):
        """Header fields beside those that the protocol itself wants."""
        fields = [("accept", self.accept)]
        if self.body is not None:
            fields += [("content-type", "application/json"), ("content-length", str(len(self.body)))]
        return fields

    def began(self, status):
        """The answer's head is here."""
        self.status = status

    def arrived(self, chunk, at=None):
        """Bytes of the body, which were there `at` that time (nanoseconds; None: now); answers False if the transport is
        to drop the exchange."""
        if self.is_over or self.status != 200:
            return True
        return self.on_bytes(chunk, at)

    def over(self, reason=None):
        """The answer is complete or, with a reason, broken off. Only the first call counts."""
        if self.is_over:
            return
        self.is_over = True
        if reason is None and (self.status is None or not 200 <= self.status < 300):
            reason = "no answer" if self.status is None else "status %d" % self.status
        self.on_end(reason)
