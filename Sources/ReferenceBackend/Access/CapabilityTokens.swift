import Crypto
import Foundation
import ResolveKitCore

/// The right to use one session: a JSON Web Token signed with HMAC-SHA-256 (RFC 7515 § 3, RFC 7519).
struct CapabilityTokens: Sendable {
  let key: SymmetricKey
  let appID: String
  let lifetime: Duration

  private static let header = encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))
  /// Raised when older tokens must no longer be taken.
  private static let integrationVersion = 1

  func token(for sessionID: String, now: WallTime) -> String {
    let claims: JSONValue = [
      "sid": .string(sessionID), "aid": .string(appID), "iv": .number(Double(Self.integrationVersion)),
      "iat": .number(Double(now.seconds)), "nbf": .number(Double(now.seconds)),
      "exp": .number(Double((now + lifetime).seconds)),
    ]
    let signed = "\(Self.header).\(Self.encode(claims.serialized()))"
    let code = HMAC<SHA256>.authenticationCode(for: Array(signed.utf8), using: key)
    return "\(signed).\(Self.encode(Array(code)))"
  }

  /// Whether `token` is one of ours, for this session, and valid at `now`. The header must be the one we write, so no
  /// other algorithm can be named.
  func accept(_ token: String, for sessionID: String, now: WallTime) -> Bool {
    guard token.utf8.count <= 4_096 else { return false }
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == Self.header, let code = Self.decode(parts[2]), let body = Self.decode(parts[1])
    else { return false }
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    guard HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: signed, using: key),
      let claims = try? JSONValue(parsing: Array(body)).objectValue,
      let notBefore = claims["nbf"]?.integerValue, let expiry = claims["exp"]?.integerValue
    else { return false }
    return claims["sid"]?.stringValue == sessionID && claims["aid"]?.stringValue == appID
      && claims["iv"]?.integerValue == Self.integrationVersion
      && Int64(notBefore) <= now.seconds && now.seconds < Int64(expiry)
  }

  /// Base64url without padding (RFC 7515 § 2).
  private static func encode(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private static func decode(_ text: Substring) -> Data? {
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
  }
}
