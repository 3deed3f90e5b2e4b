/// The most that a ``LedgerFeed`` holds and asks for.
package struct FeedLimits: Sendable {
  /// The longest time for which news may go unnoticed: between two polls of the ledger while somebody waits.
  package var pollInterval: Duration
  /// Readers at one time.
  package var readers: Int
  /// Newest events that are kept of a stream, for readers that are nearly as far.
  package var tailEvents: Int
  /// Bytes of the newest events that are kept, of all streams together.
  package var tailBytes: Int
  /// Events of one read.
  package var pageEvents: Int
  /// The pause before a stream is read again, for each of its readers that the last read woke: a stream with many
  /// readers and many events is handed on in fewer and larger pieces. Rests shorter than a millisecond are not taken. Up to
  /// four times as long where the process does not keep up.
  package var restPerReader: Duration
  package var longestRest: Duration
  /// Reads and questions that fail in a row before the waiting readers get the error.
  package var failures: Int

  package init(
    pollInterval: Duration = .milliseconds(250), readers: Int = 20_000, tailEvents: Int = 256,
    tailBytes: Int = 32 << 20, pageEvents: Int = 64, restPerReader: Duration = .microseconds(200),
    longestRest: Duration = .milliseconds(100), failures: Int = 8
  ) {
    self.pollInterval = pollInterval
    self.readers = readers
    self.tailEvents = tailEvents
    self.tailBytes = tailBytes
    self.pageEvents = max(1, pageEvents)
    self.restPerReader = restPerReader
    self.longestRest = longestRest
    self.failures = failures
  }

  /// The rest after a read that woke so many readers; nil for none.
  func rest(afterWaking readers: Int, _ strain: FeedStrain) -> Duration? {
    let rest = min(restPerReader * readers * strain.factor, longestRest)
    return rest < .milliseconds(1) ? nil : rest
  }
}

/// The contents of a ``LedgerFeed`` at a moment.
package struct FeedLoad: Equatable, Sendable {
  package var readers: Int
  package var streams: Int
  /// Bytes of the events that are kept for readers.
  package var bytes: Int

  package init(readers: Int, streams: Int, bytes: Int) {
    self.readers = readers
    self.streams = streams
    self.bytes = bytes
  }
}
