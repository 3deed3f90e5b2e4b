/// The names of a server's certificates, and which of these a client gets that asks for a name (RFC 6066 § 3).
///
/// A name is matched as clients match it (RFC 6125 § 6.4): without regard to case, a wildcard for one whole label.
package struct ServerNameIndex: Sendable {
  /// The longest name that DNS has, with a dot at its end.
  private static let longestName = 254

  private var exact: [String: Int] = [:]
  /// What follows the `*.` of wildcards.
  private var wildcards: [String: Int] = [:]

  /// - Parameter names: those of each certificate. Of two certificates with the same name the first has it.
  package init(_ names: [[String]]) {
    for (index, names) in names.enumerated() {
      for name in names {
        guard let name = Self.normalized(name) else { continue }
        if name.hasPrefix("*.") {
          let parent = String(name.dropFirst(2))
          if wildcards[parent] == nil { wildcards[parent] = index }
        } else if exact[name] == nil {
          exact[name] = index
        }
      }
    }
  }

  /// The certificate for a name; the first for none, for one that no certificate has, and for what cannot be a name.
  package func index(for name: String?) -> Int {
    guard let name = name.flatMap(Self.normalized) else { return 0 }
    if let index = exact[name] { return index }
    guard let dot = name.firstIndex(of: "."), dot != name.startIndex else { return 0 }
    return wildcards[String(name[name.index(after: dot)...])] ?? 0
  }

  /// In lower case and without a dot at its end, which some clients send; nil for what cannot be a DNS name.
  private static func normalized(_ name: String) -> String? {
    guard name.utf8.count <= longestName, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
    let lower = name.lowercased()
    let bare = lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    return bare.isEmpty ? nil : bare
  }
}
