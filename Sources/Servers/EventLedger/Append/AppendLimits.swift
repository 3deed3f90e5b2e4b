/// The most that an ``AppendQueue`` holds and writes.
package struct AppendLimits: Sendable {
  /// Appends of one transaction.
  package var batchAppends: Int
  /// Bytes of one transaction; a larger append is written alone.
  package var batchBytes: Int
  /// Appends that wait, those that are being written among them.
  package var queuedAppends: Int
  /// Bytes that wait.
  package var queuedBytes: Int
  /// The number of times that an append is tried.
  package var attempts: Int
  /// The pause before the second attempt; it doubles with each, to ``longestPause``.
  package var pause: Duration
  package var longestPause: Duration

  package init(
    batchAppends: Int = 512, batchBytes: Int = 8 << 20, queuedAppends: Int = 20_000, queuedBytes: Int = 64 << 20,
    attempts: Int = 8, pause: Duration = .milliseconds(25), longestPause: Duration = .seconds(2)
  ) {
    self.batchAppends = max(1, batchAppends)
    self.batchBytes = batchBytes
    self.queuedAppends = queuedAppends
    self.queuedBytes = queuedBytes
    self.attempts = attempts
    self.pause = pause
    self.longestPause = longestPause
  }
}
