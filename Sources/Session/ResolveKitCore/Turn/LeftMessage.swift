/// The last message, if its turn ended here without an answer: what a retry takes up.
package struct LeftMessage: Codable, Equatable, Sendable {
  /// The knowledge of the message at the backend.
  package enum Arrival: Codable, Equatable, Sendable {
    /// Never posted, or each post was refused.
    case no
    /// A post at that time, or a later one, ended without an answer.
    case unknown(since: MonotonicNanoseconds)
    /// Arrived, as was learned after it was left, or the connection ended in its turn: the backend continues that turn.
    case running(turnID: String?)
    /// The turn has ended, or the user cancelled it: a retry is another message.
    case ended
  }

  package let message: OutgoingMessage
  /// See ``MessageCourse/earlier``.
  var earlier: [String]?
  package internal(set) var arrival: Arrival

  var reference: TurnReference {
    guard case .running(let turnID) = arrival else { return TurnReference(requestID: message.requestID, turnID: nil) }
    return TurnReference(requestID: message.requestID, turnID: turnID)
  }
}
