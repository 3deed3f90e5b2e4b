/// Body of `POST /v1/sessions/{id}/messages`.
public struct MessageSendRequest: Hashable, Sendable, Codable {
  /// Longest text in UTF-8 bytes.
  public static let maximumTextBytes = 32768

  public var text: String
  /// Made by the client once and kept over all retries: it is the idempotency key of the turn.
  public var requestID: String
  public var locale: String?

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
