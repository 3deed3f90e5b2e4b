import Crypto

/// The digest of a secret: its SHA-256. The secrets are random, so they need no salt and no slow hash.
package struct TokenDigest: Hashable, Sendable {
  private let bytes: [UInt8]

  package init(of secret: [UInt8]) { bytes = Array(SHA256.hash(data: secret)) }

  package init?(hexadecimal text: String?) {
    guard let bytes = text.flatMap({ Hexadecimal.bytes($0, count: SHA256.byteCount) }) else { return nil }
    self.bytes = bytes
  }

  package var hexadecimal: String { Hexadecimal.text(bytes) }

  /// Takes the same time for every secret: swift-crypto compares digests so.
  package func isOf(_ secret: [UInt8]) -> Bool { SHA256.hash(data: secret) == bytes }
}
