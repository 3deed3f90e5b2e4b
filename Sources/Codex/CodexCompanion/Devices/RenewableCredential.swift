import Crypto
import JSONService
import ResolveKitCore

/// The tokens of a device that renews them: an access token for some minutes, and a renewal token that works once.
///
/// A renewal token is 16 bytes that the device keeps for life, its family, and 16 that change with each renewal. One of
/// the family that is not the current one was used before: two parties have it, and which of them is the thief is
/// unknown, so the device is revoked (RFC 9700 § 4.14.2).
///
/// The answer to a renewal can be lost, on a train above all. So until the device has shown that it received the new tokens,
/// by using one, it may renew with the former token again, and is given the *same* new ones: they are derived from the
/// former token, of which only the digest is kept, and a random salt.
struct RenewableCredential: Hashable, Sendable {
  /// The lifetime of an access token, in milliseconds.
  static let lifetime = 15 * 60 * 1_000
  private static let familyBytes = 16

  struct Tokens: Sendable {
    let access: BearerToken
    let renewal: BearerToken
    let expiresAt: Int
  }

  enum Renewal: Sendable {
    case renewed(Tokens)
    /// Used before: two have the token.
    case reused
    /// No token of this device.
    case foreign
  }

  enum Match: Hashable, Sendable {
    /// Until then, in milliseconds since 1970; nil for ever.
    case valid(until: Int?)
    case expired
    case none
  }

  private struct Access: Hashable, Sendable {
    var token: TokenDigest
    var expiresAt: Int

    func match(_ token: BearerToken, now: Int) -> Match {
      guard self.token.isOf(token) else { return .none }
      return now < expiresAt ? .valid(until: expiresAt) : .expired
    }
  }

  /// The renewal token that the current tokens were given for.
  private struct Former: Hashable, Sendable {
    let token: TokenDigest
    let salt: [UInt8]
  }

  private let family: TokenDigest
  private var renewal: TokenDigest
  private var access: Access
  /// Stays valid for its time: requests with it may be under way.
  private var formerAccess: Access?
  /// nil once the device has used a current token.
  private var unconfirmed: Former?

  static func make(random: RandomBytes, now: Int) -> (RenewableCredential, Tokens) {
    let tokens = Tokens(
      access: BearerToken(random: random), renewal: BearerToken(random: random), expiresAt: now + lifetime)
    return (RenewableCredential(tokens), tokens)
  }

  private init(_ tokens: Tokens) {
    family = TokenDigest(of: Array(tokens.renewal.bytes.prefix(Self.familyBytes)))
    renewal = TokenDigest(of: tokens.renewal)
    access = Access(token: TokenDigest(of: tokens.access), expiresAt: tokens.expiresAt)
  }

  /// Whether a request's token is one of the device's. The use of the current one shows that it was received.
  mutating func use(_ token: BearerToken, now: Int) -> Match {
    let current = access.match(token, now: now)
    let former = formerAccess?.match(token, now: now) ?? .none
    if case .valid = current { unconfirmed = nil }
    return current == .none ? former : current
  }

  mutating func renew(with token: BearerToken, salt: [UInt8], now: Int) -> Renewal {
    guard family.isOf(Array(token.bytes.prefix(Self.familyBytes))) else { return .foreign }
    if renewal.isOf(token) {
      formerAccess = access
      unconfirmed = Former(token: renewal, salt: salt)
    }
    guard let unconfirmed, unconfirmed.token.isOf(token) else { return .reused }
    let tokens = Self.successors(of: token, salt: unconfirmed.salt, expiresAt: now + Self.lifetime)
    renewal = TokenDigest(of: tokens.renewal)
    access = Access(token: TokenDigest(of: tokens.access), expiresAt: tokens.expiresAt)
    return .renewed(tokens)
  }

  private static func successors(of token: BearerToken, salt: [UInt8], expiresAt: Int) -> Tokens {
    let key = SymmetricKey(data: salt)
    let derive = { (purpose: String) in
      Array(HMAC<SHA256>.authenticationCode(for: Array(purpose.utf8) + token.bytes, using: key))
    }
    let generation = derive("renewal").prefix(BearerToken.byteCount - familyBytes)
    return Tokens(
      access: BearerToken(derive("access")),
      renewal: BearerToken(Array(token.bytes.prefix(familyBytes)) + generation), expiresAt: expiresAt)
  }

  // MARK: The file

  init?(_ members: JSONObject) {
    guard let family = TokenDigest(hexadecimal: members["family"]?.stringValue),
      let renewal = TokenDigest(hexadecimal: members["renewal"]?.stringValue),
      let access = Self.access(members["access"])
    else { return nil }
    self.family = family
    self.renewal = renewal
    self.access = access
    if let value = members["formerAccess"] {
      guard let former = Self.access(value) else { return nil }
      formerAccess = former
    }
    if let value = members["unconfirmed"] {
      guard let former = value.objectValue, let token = TokenDigest(hexadecimal: former["token"]?.stringValue),
        let salt = former["salt"]?.stringValue.flatMap({ Hexadecimal.bytes($0, count: BearerToken.byteCount) })
      else { return nil }
      unconfirmed = Former(token: token, salt: salt)
    }
  }

  var members: JSONObject {
    var members: JSONObject = [
      "family": .string(family.hexadecimal), "renewal": .string(renewal.hexadecimal), "access": Self.json(access),
    ]
    if let formerAccess { members["formerAccess"] = Self.json(formerAccess) }
    if let unconfirmed {
      members["unconfirmed"] = [
        "token": .string(unconfirmed.token.hexadecimal), "salt": .string(Hexadecimal.text(unconfirmed.salt)),
      ]
    }
    return members
  }

  private static func access(_ value: JSONValue?) -> Access? {
    guard let members = value?.objectValue, let token = TokenDigest(hexadecimal: members["token"]?.stringValue),
      let expiresAt = members["expiresAt"]?.integerValue
    else { return nil }
    return Access(token: token, expiresAt: expiresAt)
  }

  private static func json(_ access: Access) -> JSONValue {
    ["token": .string(access.token.hexadecimal), "expiresAt": .number(Double(access.expiresAt))]
  }
}
