/// The end of a turn.
package struct TurnResult: Equatable, Sendable {
  package enum Status: String, Codable, Sendable {
    case complete
    case failed
    case cancelled
  }

  package let requestID: String
  /// nil where the turn ended before the backend named it.
  package let turnID: String?
  package let status: Status
  /// The whole answer, or what had been shown of it.
  package let text: String
  /// The reason of a failure; nil otherwise.
  package let failure: RequestFailure?
  package let usage: ResolveKitTurnComplete.Usage?
}
