package import ResolveKitCore

/// A commit that was made.
package struct GitCommit: Hashable, Sendable {
  /// The longest message, in UTF-8.
  package static let maximumMessage = 16 << 10

  /// The branch that it is on; nil where none is checked out.
  package var branch: String?
  package var hash: String
  /// The message's first line.
  package var summary: String

  package init(branch: String?, hash: String, summary: String) {
    self.branch = branch
    self.hash = hash
    self.summary = summary
  }

  /// A message without the spaces around it. Throws ``GitError`` where it cannot be one.
  static func message(_ text: String) throws(GitError) -> String {
    let message = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n")
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    let scalars = message.unicodeScalars.drop(while: isSpace)
    guard let last = scalars.lastIndex(where: { !isSpace($0) }) else {
      throw GitError(.refused, "Commit message is required")
    }
    let trimmed = String(scalars[...last])
    guard trimmed.utf8.count <= maximumMessage, !trimmed.utf8.contains(0) else {
      throw GitError(.refused, "A commit message has at most \(maximumMessage) bytes, none of which is NUL.")
    }
    return trimmed
  }

  package var json: JSONValue {
    ["branch": branch.map { .string($0) } ?? .null, "commitHash": .string(hash), "summary": .string(summary)]
  }
}
