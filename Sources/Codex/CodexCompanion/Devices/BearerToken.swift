import JSONService

/// A secret that a client shows: 64 hexadecimal digits.
struct BearerToken: Sendable {
  static let byteCount = 32

  let bytes: [UInt8]

  var text: String { Hexadecimal.text(bytes) }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  init(random: RandomBytes) { bytes = random.make(Self.byteCount) }

  /// nil for whatever is no token.
  init?(_ text: String) {
    guard let bytes = Hexadecimal.bytes(text, count: Self.byteCount) else { return nil }
    self.bytes = bytes
  }

  /// Reads a field of a request (RFC 6750 § 2.1; the scheme is case-insensitive, RFC 9110 § 11.1).
  init(authorization: String?) throws(DeviceError) {
    guard let authorization, !authorization.isEmpty else { throw .missingToken }
    let parts = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bearer", let token = BearerToken(String(parts[1])) else {
      throw .malformedToken
    }
    self = token
  }
}

extension TokenDigest {
  init(of token: BearerToken) { self.init(of: token.bytes) }

  func isOf(_ token: BearerToken) -> Bool { isOf(token.bytes) }
}
