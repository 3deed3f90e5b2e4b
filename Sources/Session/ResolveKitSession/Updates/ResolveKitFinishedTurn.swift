/// How a turn ended.
public struct ResolveKitFinishedTurn: Equatable, Sendable {
  public enum Status: String, Sendable {
    case complete
    case failed
    case cancelled
  }

  /// Nil where the server never said.
  public var turnID: String?
  public var status: Status
  /// The assistant's whole text.
  public var text: String
  /// Why it failed, in words.
  public var reason: String?
  /// The id of the message that began it; nil where that is not known.
  public var requestID: String?

  public init(turnID: String?, status: Status, text: String, reason: String? = nil, requestID: String? = nil) {
    self.turnID = turnID
    self.requestID = requestID
    self.status = status
    self.text = text
    self.reason = reason
  }
}
