/// A stream went past a limit of ``EventStreamLimits``. The parser that threw it reads no further.
public struct EventStreamError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which limit.
  public enum Code: String, Hashable, Sendable {
    /// A line passed ``EventStreamLimits/line``.
    case lineTooLong
    /// An event's data passed ``EventStreamLimits/event``.
    case eventTooLarge
    /// The value of an `id` field passed ``EventStreamLimits/id``.
    case idTooLong
    /// The value of an `event` field passed ``EventStreamLimits/type``.
    case typeTooLong
    /// A comment passed ``EventStreamLimits/comment``.
    case commentTooLong
    /// The unfinished line and event together passed ``EventStreamLimits/buffered``.
    case bufferFull
  }

  /// The kind of limit that was passed.
  public var code: Code
  /// The limit that was passed, in bytes.
  public var limit: Int

  /// Creates an error for a limit of that many bytes.
  package init(code: Code, limit: Int) {
    self.code = code
    self.limit = limit
  }

  public var description: String {
    let (what, setting) =
      switch code {
      case .lineTooLong: ("sent a line", "line")
      case .eventTooLarge: ("sent an event whose data is", "event")
      case .idTooLong: ("sent an event id", "id")
      case .typeTooLong: ("sent an event type", "type")
      case .commentTooLong: ("sent a comment", "comment")
      case .bufferFull: ("left unfinished what is", "buffered")
      }
    return "The event stream \(what) longer than \(limit) bytes."
      + " If the server is to be trusted with more, raise EventStreamLimits.\(setting)."
  }
}
