/// Reads what `git status --porcelain=v2 --branch -z` writes.
struct GitStatusReader {
  private let prefix: [UInt8]

  /// - Parameter prefix: The project's place in the working tree, empty or with a slash at its end. Git reports paths
  ///   from the top on.
  init(prefix: [UInt8]) { self.prefix = prefix }

  /// Lines of kinds that are not known, and paths outside of the project, are passed over.
  func context(_ parts: [ArraySlice<UInt8>]) -> GitContext {
    var context = GitContext(isRepository: true, branch: "HEAD")
    var isOrigin = false
    for part in parts {
      // A rename has its old path in the next part.
      if isOrigin {
        isOrigin = false
        continue
      }
      switch part.first {
      case UInt8(ascii: "#"):
        if let branch = Self.branch(part) { context.branch = branch }
      case UInt8(ascii: "1"): add(part, fields: 8, to: &context)
      case UInt8(ascii: "2"):
        add(part, fields: 9, to: &context)
        isOrigin = true
      case UInt8(ascii: "u"): add(part, fields: 10, to: &context)
      case UInt8(ascii: "?"): addUntracked(part, to: &context)
      default: break
      }
    }
    return context
  }

  private static func branch(_ part: ArraySlice<UInt8>) -> String? {
    let name = Array("# branch.head ".utf8)
    guard part.starts(with: name) else { return nil }
    let branch = String(decoding: part.dropFirst(name.count), as: UTF8.self)
    return branch == "(detached)" ? "HEAD" : branch
  }

  /// `KIND XY …` with so many fields, and a space behind each, before the path.
  private func add(_ part: ArraySlice<UInt8>, fields: Int, to context: inout GitContext) {
    let pieces = part.split(separator: UInt8(ascii: " "), maxSplits: fields, omittingEmptySubsequences: false)
    guard pieces.count == fields + 1, pieces[1].count == 2, let path = path(pieces[fields]) else { return }
    let letters = pieces[1].map { $0 == UInt8(ascii: ".") ? " " : String(decoding: [$0], as: UTF8.self) }
    context.add(GitChangedPath(path: path, indexStatus: letters[0], workingTreeStatus: letters[1]))
  }

  private func addUntracked(_ part: ArraySlice<UInt8>, to context: inout GitContext) {
    guard part.count > 2, let path = path(part.dropFirst(2)) else { return }
    context.add(GitChangedPath(path: path, indexStatus: "?", workingTreeStatus: "?"))
  }

  private func path(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.starts(with: prefix), bytes.count > prefix.count else { return nil }
    return String(decoding: bytes.dropFirst(prefix.count), as: UTF8.self)
  }
}
