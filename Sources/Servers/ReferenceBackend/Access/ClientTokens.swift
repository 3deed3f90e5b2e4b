import EventLedger
import ResolveKitCore
import Synchronization

/// Tokens in the place of an API key, for clients that must not hold it: valid for 15 minutes.
final class ClientTokens: Sendable {
  static let lifetime = Duration.seconds(900)
  /// Most tokens given within a minute.
  static let limit = 60

  private static let kind = "sdk_client"
  private let tokens: SignedTokens
  private let appID: String
  private let given = Mutex<[WallTime]>([])

  init(tokens: SignedTokens, appID: String) {
    self.tokens = tokens
    self.appID = appID
  }

  /// A token and its end; nil where ``limit`` is reached.
  func token(now: WallTime) -> (text: String, expiry: WallTime)? {
    let isAllowed = given.withLock { given in
      given.removeAll { $0 + .seconds(60) <= now }
      guard given.count < Self.limit else { return false }
      given.append(now)
      return true
    }
    guard isAllowed else { return nil }
    let expiry = now + Self.lifetime
    let text = tokens.token([
      "aid": .string(appID), "typ": .string(Self.kind), "v": 1, "iat": .number(Double(now.seconds)),
      "exp": .number(Double(expiry.seconds)),
    ])
    return (text, expiry)
  }

  func accept(_ token: some StringProtocol, now: WallTime) -> Bool {
    guard let claims = tokens.claims(of: token, now: now) else { return false }
    return claims["typ"]?.stringValue == Self.kind && claims["aid"]?.stringValue == appID
  }
}
