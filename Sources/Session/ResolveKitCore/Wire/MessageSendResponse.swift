/// The 202 of a message. `status` is "accepted" even if the turn ended long ago.
public struct MessageSendResponse: Hashable, Sendable, Codable {
  /// The turn that the message began, or began earlier where its `request_id` is known.
  public var turnID: String
  /// The `request_id` of the message; nil where the answer does not repeat it.
  public var requestID: String?
  /// `accepted`, also where the turn has ended since.
  public var status: String?

  /// Creates an answer, as a backend does.
  package init(turnID: String, requestID: String?, status: String? = "accepted") {
    self.turnID = turnID
    self.requestID = requestID
    self.status = status
  }

  private enum CodingKeys: String, CodingKey {
    case status
    case turnID = "turn_id"
    case requestID = "request_id"
  }
}
