/// A token that stands in the place of an API key for 15 minutes, as `POST /v1/sdk/client-token` answers it: for
/// clients that must not hold the key itself.
public struct ResolveKitClientToken: Hashable, Sendable, Codable {
  /// Secret; never logged.
  public var token: String
  /// ISO 8601, as the server wrote it.
  public var expiresAt: String

  /// Creates a token, as a backend does.
  package init(token: String, expiresAt: String) {
    self.token = token
    self.expiresAt = expiresAt
  }

  private enum CodingKeys: String, CodingKey {
    case token
    case expiresAt = "expires_at"
  }
}

extension ResolveKitClientToken: CustomStringConvertible, CustomDebugStringConvertible {
  /// Without the token, so that it may be logged.
  public var description: String { "client token until \(expiresAt)" }
  public var debugDescription: String { description }
}
