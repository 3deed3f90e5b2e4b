/// The name of a host as DNS holds it (RFC 1123 § 2.1): labels of letters, digits, hyphens and underscores.
package struct HostName: Hashable, Sendable {
  private static let longest = 253
  private static let longestLabel = 63

  /// In lower case, without a dot at the end.
  package let text: String
  /// Whether it was written with a dot at the end: it is looked up as it is, in no domain of the search list.
  package let isComplete: Bool

  /// Nil for what is no such name, such as one with an empty label or with letters outside ASCII.
  package init?(_ text: String) {
    isComplete = text.utf8.last == UInt8(ascii: ".")
    let bytes = isComplete ? text.utf8.dropLast() : text.utf8[...]
    let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard bytes.count <= Self.longest,
      labels.allSatisfy({ (1...Self.longestLabel).contains($0.count) && $0.allSatisfy(Self.isPartOfLabel) })
    else { return nil }
    self.text = String(decoding: bytes, as: UTF8.self).lowercased()
  }

  /// Whether it stands for this machine, whatever name servers say (RFC 6761 § 6.3).
  package var isLocalhost: Bool { text == "localhost" || text.hasSuffix(".localhost") }

  private static func isPartOfLabel(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
