/// Names a turn by what is known of it: the message's id at first, the backend's as soon as it is heard.
package struct TurnReference: Codable, Equatable, Sendable {
  package let requestID: String
  package var turnID: String?

  func owns(_ envelope: ResolveKitEnvelope) -> Bool {
    if let id = envelope.requestID, id.hasSameBytes(as: requestID) { return true }
    if let id = envelope.turnID, let turnID, id.hasSameBytes(as: turnID) { return true }
    return false
  }
}
