public import ResolveKitSession

/// The reason for a message without an answer.
public struct ResolveKitTurnError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of failure, for a caller to decide on.
  public enum Code: String, Hashable, Sendable {
    /// An earlier message's turn is in progress.
    case busy
    /// The session was not started, or its connection has ended.
    case notConnected
    /// The server refuses this app, its key or its version; sending again changes nothing.
    case blocked
    /// The message is empty, or longer than the contract allows.
    case invalidMessage
    /// The turn failed; ``ResolveKitRuntime/retryMessage()`` tries its message again.
    case failed
    /// The turn was stopped.
    case cancelled
  }

  /// The kind of failure.
  public var code: Code
  /// A sentence for a person.
  public var message: String
  /// The turn as it ended, with what there is of its answer; nil where the message was not accepted.
  public var turn: ResolveKitFinishedTurn?

  package init(_ code: Code, _ message: String, turn: ResolveKitFinishedTurn? = nil) {
    self.code = code
    self.message = message
    self.turn = turn
  }

  public var description: String { message }
}
