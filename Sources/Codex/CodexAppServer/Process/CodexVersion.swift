/// A version of codex, such as 0.163.0.
package struct CodexVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The oldest whose messages are those that are read here.
  package static let oldest = CodexVersion(major: 0, minor: 163, patch: 0)
  /// The newest that was tried; what a later one says otherwise is counted as unknown, and refused where it asks.
  package static let newestTried = CodexVersion(major: 0, minor: 163, patch: 0)

  package let major: Int
  package let minor: Int
  package let patch: Int

  package init(major: Int, minor: Int, patch: Int) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// Reads `0.163.0`, with or without a mark such as `-alpha.1` behind it; nil for anything else.
  package init?(_ text: some StringProtocol) {
    let core = text.prefix { $0 != "-" && $0 != "+" }
    let parts = core.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let major = Int(parts[0]), let minor = Int(parts[1]), let patch = Int(parts[2])
    else { return nil }
    self.init(major: major, minor: minor, patch: patch)
  }

  package static func < (left: CodexVersion, right: CodexVersion) -> Bool {
    (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
  }

  package var description: String { "\(major).\(minor).\(patch)" }
}
