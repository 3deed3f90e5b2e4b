/// The items of a stream in order: events, and what the standard keeps from scripts but an operator wants to see.
public enum EventStreamItem: Equatable, Sendable {
  /// A block with at least one `data` field.
  case event(ServerSentEvent)
  /// A line that begins with a colon, without that colon and without one space after it.
  case comment(String)
  /// The server's reconnection time; limited by ``EventStreamLimits/retryMilliseconds``.
  case retry(milliseconds: Int)
  /// A field that the standard ignores: an unknown name, a `retry` that is not all digits, an `id` with a NUL.
  case unknownField(name: String, value: String)
  /// A block without data whose `id` took effect: nothing to deliver, but the cursor moves.
  case idCommitted(String)

  /// Compares bytes, as ``ServerSentEvent`` does.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.event(let left), .event(let right)): left == right
    case (.comment(let left), .comment(let right)): left.hasSameBytes(as: right)
    case (.retry(let left), .retry(let right)): left == right
    case (.unknownField(let leftName, let leftValue), .unknownField(let rightName, let rightValue)):
      leftName.hasSameBytes(as: rightName) && leftValue.hasSameBytes(as: rightValue)
    case (.idCommitted(let left), .idCommitted(let right)): left.hasSameBytes(as: right)
    case (.event, _), (.comment, _), (.retry, _), (.unknownField, _), (.idCommitted, _): false
    }
  }
}
