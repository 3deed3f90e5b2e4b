/// Body of `POST /v1/sessions/{id}/messages`.
public struct MessageSendRequest: Hashable, Sendable, Codable {
  /// Longest text in UTF-8 bytes.
  public static let maximumTextBytes = 32768

  /// The message: not empty, at most ``maximumTextBytes`` bytes of UTF-8.
  public var text: String
  /// Made by the client once and kept over all retries: it is the idempotency key of the turn.
  public var requestID: String
  /// A BCP 47 tag that becomes the session's locale; nil leaves it.
  public var locale: String?

  /// Creates a request. The `requestID` has 1 to 255 characters.
  public init(text: String, requestID: String, locale: String? = nil) {
    self.text = text
    self.requestID = requestID
    self.locale = locale
  }

  private enum CodingKeys: String, CodingKey {
    case text, locale
    case requestID = "request_id"
  }
}
