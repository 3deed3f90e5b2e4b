import EventLedger
import ResolveKitCore

/// The right to use one session.
struct CapabilityTokens: Sendable {
  let tokens: SignedTokens
  let appID: String
  let lifetime: Duration

  /// Raised when older tokens must no longer be taken.
  private static let integrationVersion = 1

  func token(for sessionID: String, now: WallTime) -> String {
    tokens.token([
      "sid": .string(sessionID), "aid": .string(appID), "iv": .number(Double(Self.integrationVersion)),
      "iat": .number(Double(now.seconds)), "nbf": .number(Double(now.seconds)),
      "exp": .number(Double((now + lifetime).seconds)),
    ])
  }

  /// Whether `token` is one of ours, for this session, and valid at `now`.
  func accept(_ token: String, for sessionID: String, now: WallTime) -> Bool {
    guard let claims = tokens.claims(of: token, now: now) else { return false }
    return claims["sid"]?.stringValue == sessionID && claims["aid"]?.stringValue == appID
      && claims["iv"]?.integerValue == Self.integrationVersion && claims["nbf"] != nil
  }
}
