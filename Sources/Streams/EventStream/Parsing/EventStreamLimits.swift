/// The limits on what a stream may ask its reader to hold, in bytes as received; past a limit parsing ends with an error.
///
/// Invalid UTF-8 is replaced by U+FFFD, three bytes for at least one, so strings take at most three times as much.
public struct EventStreamLimits: Hashable, Sendable {
  /// One line without its end.
  public var line: Int
  /// The data of one event; every `data` line costs its value and one byte, so that empty lines are not free.
  public var event: Int
  /// The value of an `id` field.
  public var id: Int
  /// The value of an `event` field.
  public var type: Int
  /// A comment line without its colon.
  public var comment: Int
  /// All that is held at once: the unfinished line, the unfinished event's data, type and id.
  public var buffered: Int
  /// The longest reconnection time passed on, in milliseconds; longer ones are shortened to it, not refused.
  public var retryMilliseconds: Int

  /// Values below zero count as zero.
  public init(
    line: Int = 16 << 20, event: Int = 16 << 20, id: Int = 4 << 10, type: Int = 1 << 10,
    comment: Int = 64 << 10, buffered: Int = 32 << 20, retryMilliseconds: Int = 86_400_000
  ) {
    self.line = max(0, line)
    self.event = max(0, event)
    self.id = max(0, id)
    self.type = max(0, type)
    self.comment = max(0, comment)
    self.buffered = max(0, buffered)
    self.retryMilliseconds = max(0, retryMilliseconds)
  }
}
