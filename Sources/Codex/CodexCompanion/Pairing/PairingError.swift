/// A failed pairing: a code to branch on, a sentence to show, a cause.
package struct PairingError: Error, CustomStringConvertible, Sendable {
  package enum Code: Hashable, Sendable {
    /// There is no such pairing, it is over, or the nonce is another.
    case invalid
    /// A person said no, or nothing in time.
    case denied
    /// Too many ask; after some seconds it may be tried again.
    case busy(retryAfter: Int)
    /// No device waits for an answer there.
    case noQuestion
    /// The device did not wait for the answer, and was issued nothing.
    case givenUp
    /// The device was allowed, but could not be kept.
    case device
  }

  package let code: Code
  package let message: String
  package let cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String { message }

  static let invalid = PairingError(.invalid, "Invalid or expired pairing session")
  static let denied = PairingError(.denied, "Pairing denied or timed out")
  static let noQuestion = PairingError(
    .noQuestion, "No device waits for an answer there; it may have given up: let it ask again.")
  static let givenUp = PairingError(.givenUp, "The device gave up waiting, so it was not paired.")

  static func busy(retryAfter time: Duration) -> PairingError {
    let seconds = Int(clamping: max(1, time.components.seconds + 1))
    return PairingError(
      .busy(retryAfter: seconds), "Too many pairing requests; try again in \(seconds) s, or run 'companion pair'.")
  }
}
