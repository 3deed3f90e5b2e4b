/// The 202 of a message. `status` is "accepted" even if the turn ended long ago.
public struct MessageSendResponse: Hashable, Sendable, Codable {
  public var turnID: String
  public var requestID: String?
  public var status: String?

  public init(turnID: String, requestID: String?, status: String? = "accepted") {
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
