import Crypto
package import ResolveKitCore

/// Names the scope of an approval in a fixed size: SHA-256 of `ApprovalScope`'s bytes, in lower-case hexadecimal.
package enum ToolFingerprint {
  package static let length = 64

  package static func make(server: String, definition: ResolveKitDefinition, isIdempotent: Bool) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let scope = ApprovalScope.bytes(server: server, definition: definition, isIdempotent: isIdempotent)
    let text = SHA256.hash(data: scope).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether a text can be a fingerprint.
  package static func isOne(_ text: String) -> Bool {
    text.utf8.count == length && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }
}
