import ResolveKitCore

/// The tokens of a paired device.
public struct RemoteCredential: Hashable, Sendable, CustomStringConvertible {
  /// The token that requests carry.
  package var token: String
  /// The token that renews both, once; nil where ``token`` does not expire.
  package var renewalToken: String?
  /// The time at which ``token`` expires by the companion's clock, in milliseconds since 1970; nil for never.
  package var expiresAt: Int?

  package init(token: String, renewalToken: String? = nil, expiresAt: Int? = nil) {
    self.token = token
    self.renewalToken = renewalToken
    self.expiresAt = expiresAt
  }

  /// A description without the tokens, which must not be logged.
  public var description: String { "a device's tokens" }

  /// Whether the token is good for less than `margin` milliseconds more.
  package func isAboutToExpire(at now: Int, margin: Int = 60_000) -> Bool {
    guard let expiresAt else { return false }
    return expiresAt < now.addingReportingOverflow(margin).partialValue
  }
}

extension RemoteCredential {
  private static let longestToken = 4_096

  /// Reads the tokens of an answer, or of a file; nil where there are none.
  init?(json members: JSONObject) {
    guard let token = members["token"]?.stringValue, Self.isToken(token) else { return nil }
    let renewal = members["renewalToken"]?.stringValue
    if let renewal, !Self.isToken(renewal) { return nil }
    self.init(token: token, renewalToken: renewal, expiresAt: members["expiresAt"]?.integerValue)
  }

  var json: JSONObject {
    var members: JSONObject = ["token": .string(token)]
    members["renewalToken"] = renewalToken.map { .string($0) }
    members["expiresAt"] = expiresAt.map { .number(Double($0)) }
    return members
  }

  /// The characters that a field value can hold (RFC 9110 § 11.2).
  private static func isToken(_ text: String) -> Bool {
    (1...longestToken).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
