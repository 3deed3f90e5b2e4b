package import ResolveKitCore

/// The changes of one path, or of a whole project, as text.
package struct GitDiff: Hashable, Sendable {
  /// The most characters of the text, as Unicode has them.
  package static let maximumCharacters = 64_000
  /// The most untracked paths that are listed.
  package static let maximumUntracked = 1_000
  /// Enough bytes of each section that a cut one fills the text.
  static let sectionBytes = 4 * maximumCharacters

  /// From the project's folder on; nil for all of it.
  package let path: String?
  package let text: String
  package let isTruncated: Bool
  package let untrackedPaths: [String]

  init(path: String?, staged: String, unstaged: String, untrackedPaths: [String]) {
    self.path = path
    self.untrackedPaths = Array(untrackedPaths.prefix(Self.maximumUntracked))
    var sections: [String] = []
    if !staged.isEmpty { sections.append("## Staged changes\n\n\(staged)") }
    if !unstaged.isEmpty { sections.append("## Unstaged changes\n\n\(unstaged)") }
    if !untrackedPaths.isEmpty {
      let lines = self.untrackedPaths.map { "?? \($0)" }.joined(separator: "\n")
      sections.append("## Untracked files\n\nThere is no diff of a file before it is staged.\n\n\(lines)")
    }
    let full = sections.isEmpty ? "There are no changes." : sections.joined(separator: "\n\n")
    let scalars = full.unicodeScalars
    let end = scalars.index(scalars.startIndex, offsetBy: Self.maximumCharacters, limitedBy: scalars.endIndex)
    if let end, end < scalars.endIndex {
      text = String(scalars[..<end]) + "\n\n[Diff truncated]"
      isTruncated = true
    } else {
      text = full
      isTruncated = false
    }
  }

  package var json: JSONValue {
    [
      "path": path.map { .string($0) } ?? .null, "text": .string(text), "truncated": .bool(isTruncated),
      "untrackedPaths": .array(untrackedPaths.map { .string($0) }),
    ]
  }
}
