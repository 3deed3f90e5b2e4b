/// The reason for which a model gave no answer.
public struct ModelError: Error, CustomStringConvertible, Sendable {
  /// The kind of a failure.
  public enum Code: Hashable, Sendable {
    /// The model's service refuses us: key, quota or rate.
    case refused
    /// It cannot be reached or broke off.
    case unreachable
    /// It sent what cannot be understood, or too much.
    case malformed
  }

  /// The kind of the failure.
  public let code: Code
  /// For the log; clients see less.
  public let message: String
  /// The error below, such as the transport's; nil for none.
  public let cause: (any Error)?

  /// A failure with its sentence.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { message }

  /// The contract's error code.
  var eventCode: String {
    switch code {
    case .refused: "chat_unavailable"
    case .unreachable, .malformed: "llm_error"
    }
  }

  var eventMessage: String {
    switch code {
    case .refused: "Chat is unavailable, try again later."
    case .unreachable, .malformed: "Assistant is temporarily unavailable. Please try again."
    }
  }
}
