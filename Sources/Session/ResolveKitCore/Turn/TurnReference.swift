/// Names a turn by what is known of it: the message's id at first, the backend's as soon as it is known.
package struct TurnReference: Codable, Equatable, Sendable {
  package let requestID: String
  package var turnID: String?
  /// True or nil, which journals of earlier versions have.
  private let awaited: Bool?

  init(requestID: String, turnID: String?, isAnswerAwaited: Bool = false) {
    self.requestID = requestID
    self.turnID = turnID
    awaited = isAnswerAwaited ? true : nil
  }

  /// Whether its answer is shown when it comes: the turn ended here by a failure, not by the user.
  var isAnswerAwaited: Bool { awaited ?? false }

  /// The answer to a call of the turn that comes after the turn has ended here.
  var refusal: String { isAnswerAwaited ? "The turn was given up" : "Cancelled by the user" }

  func owns(_ envelope: ResolveKitEnvelope) -> Bool {
    if let id = envelope.requestID, id.hasSameBytes(as: requestID) { return true }
    if let id = envelope.turnID, let turnID, id.hasSameBytes(as: turnID) { return true }
    return false
  }
}
