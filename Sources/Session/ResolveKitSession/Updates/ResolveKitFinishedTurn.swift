/// The end of a turn.
public struct ResolveKitFinishedTurn: Equatable, Sendable {
  /// The way in which a turn ended.
  public enum Status: String, Sendable {
    /// The server reported `turn_complete`.
    case complete
    /// The server reported an error, or the turn could not be started or followed; see
    /// ``ResolveKitFinishedTurn/reason``.
    case failed
    /// The app or its user stopped the turn or the session.
    case cancelled
  }

  /// Nil where the server never said.
  public var turnID: String?
  /// The way in which the turn ended.
  public var status: Status
  /// The assistant's whole text.
  public var text: String
  /// The reason for the failure, in words.
  public var reason: String?
  /// The id of the message that began it; nil where that is not known.
  public var requestID: String?

  /// Creates a turn, as a test of an app does; a runtime makes its own.
  public init(turnID: String?, status: Status, text: String, reason: String? = nil, requestID: String? = nil) {
    self.turnID = turnID
    self.requestID = requestID
    self.status = status
    self.text = text
    self.reason = reason
  }
}
