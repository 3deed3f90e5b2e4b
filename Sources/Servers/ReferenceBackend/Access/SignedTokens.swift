import Crypto
import EventLedger
import Foundation
import ResolveKitCore

/// JSON Web Tokens signed with HMAC-SHA-256 (RFC 7515 § 3, RFC 7519).
struct SignedTokens: Sendable {
  let key: SymmetricKey

  private static let header = encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))

  func token(_ claims: JSONObject) -> String {
    let signed = "\(Self.header).\(Self.encode(JSONValue.object(claims).serialized()))"
    let code = HMAC<SHA256>.authenticationCode(for: Array(signed.utf8), using: key)
    return "\(signed).\(Self.encode(Array(code)))"
  }

  /// The claims of a token that is ours and valid at `now`; nil for any other. The header must be the one we write, so
  /// no other algorithm can be named.
  func claims(of token: some StringProtocol, now: WallTime) -> JSONObject? {
    guard token.utf8.count <= 4_096 else { return nil }
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    guard parts.count == 3, parts[0] == Self.header, let code = Self.decode(parts[2]), let body = Self.decode(parts[1])
    else { return nil }
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    guard HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: signed, using: key),
      let claims = try? JSONValue(parsing: Array(body)).objectValue, let expiry = claims["exp"]?.integerValue,
      now.seconds < Int64(expiry)
    else { return nil }
    if let notBefore = claims["nbf"] {
      guard let start = notBefore.integerValue, Int64(start) <= now.seconds else { return nil }
    }
    return claims
  }

  /// Base64url without padding (RFC 7515 § 2).
  private static func encode(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private static func decode(_ text: String) -> Data? {
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
  }
}
