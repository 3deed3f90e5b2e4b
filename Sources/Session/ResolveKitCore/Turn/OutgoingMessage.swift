/// A user's message on its way out.
package struct OutgoingMessage: Codable, Equatable, Sendable {
  /// Made once by the shell; the idempotency key of the turn over every retry.
  package let requestID: String
  package let text: String
  package let locale: String?

  package init(requestID: String, text: String, locale: String? = nil) {
    self.requestID = requestID
    self.text = text
    self.locale = locale
  }
}
