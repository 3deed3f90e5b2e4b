package import ResolveKitCore

/// A local branch.
package struct GitBranch: Hashable, Sendable {
  package var name: String
  package var isCurrent: Bool

  package init(name: String, isCurrent: Bool) {
    self.name = name
    self.isCurrent = isCurrent
  }

  /// A line of `git for-each-ref --format='%(HEAD)%(refname)'`; nil where it is none of a branch.
  init?(line: Substring) {
    let prefix = "refs/heads/"
    guard let mark = line.first, line.dropFirst().hasPrefix(prefix) else { return nil }
    self.init(name: String(line.dropFirst(1 + prefix.count)), isCurrent: mark == "*")
  }

  /// Throws ``GitError`` where git could take the name of a branch for something else, whether there is one or not.
  static func check(_ name: String) throws(GitError) {
    guard !name.isEmpty else { throw GitError(.refused, "Branch name is required") }
    // By bytes, as git has it: to Swift, a dash with an accent behind it is another character.
    let bytes = Array(name.utf8)
    let isPlain =
      bytes.count <= 250 && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F && !Array("~^:?*[\\".utf8).contains($0) }
    let hasPart = { (part: String) in bytes.firstRange(of: Array(part.utf8)) != nil }
    guard isPlain, bytes.first != UInt8(ascii: "-"), !bytes.starts(with: "refs/".utf8), name != "HEAD", name != "@",
      !hasPart(".."), !hasPart("@{")
    else { throw GitError(.refused, "Unsafe branch name: \(String(name.prefix(100)).visibleJSON)") }
  }

  package var json: JSONValue { ["name": .string(name), "isCurrent": .bool(isCurrent)] }
}
