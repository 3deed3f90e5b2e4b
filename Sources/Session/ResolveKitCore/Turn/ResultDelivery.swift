/// The fate of a recorded result.
package enum ResultDelivery: Codable, Equatable, Sendable {
  case accepted
  /// The backend has seen the key before, which does not prove that it used the result.
  case deduplicated
  /// A final refusal (404: nobody waits for it).
  case refused(RequestFailure)
  /// Given up: the turn or the session is over.
  case abandoned
}
