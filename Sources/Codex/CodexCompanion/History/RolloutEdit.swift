import ResolveKitCore

/// A file that a patch changed: one of the `changes` of a `FileChange` item.
struct RolloutEdit {
  /// From the chat's folder on where it is within; else absolute.
  let path: String
  private let detail: String
  private let additions: Int
  private let deletions: Int

  /// nil where the change is of no known type.
  init?(path: String, _ change: JSONValue, folder: String?) {
    guard let change = change.objectValue else { return nil }
    let relative = { (path: String) in
      guard let folder, !folder.isEmpty else { return path }
      let prefix = folder.hasSuffix("/") ? folder : folder + "/"
      return path.hasPrefix(prefix) && path != prefix ? String(path.dropFirst(prefix.count)) : path
    }
    self.path = relative(path)
    let lines = change["content"]?.stringValue.map(Self.lineCount) ?? 0
    switch change["type"]?.stringValue {
    case "add": (detail, additions, deletions) = ("Added file", lines, 0)
    case "delete": (detail, additions, deletions) = ("Deleted file", 0, lines)
    case "update":
      let diff = change["unified_diff"]?.stringValue ?? ""
      (additions, deletions) = Self.counts(diff)
      let target = change["move_path"]?.stringValue
      detail = target.map { "Moved to \(relative($0))" } ?? String(path.split(separator: "/").last ?? "")
    default: return nil
    }
  }

  func activity(_ id: String, _ index: Int, createdAt: Int, updatedAt: Int) -> ChatActivity {
    var activity = ChatActivity(
      id: "\(id):\(index):\(path)", kind: .fileEdited, createdAt: createdAt, updatedAt: updatedAt)
    activity.itemID = "\(id):\(path)"
    activity.detail = detail
    activity.filePath = path
    activity.additions = additions
    activity.deletions = deletions
    return activity
  }

  private static func lineCount(_ text: String) -> Int {
    text.utf8.count { $0 == UInt8(ascii: "\n") } + (text.utf8.last.map { $0 != UInt8(ascii: "\n") } == true ? 1 : 0)
  }

  /// Lines of a unified diff that begin with plus and minus, behind its first hunk's header.
  private static func counts(_ diff: String) -> (additions: Int, deletions: Int) {
    var counts = (additions: 0, deletions: 0)
    var isInHunk = false
    for line in diff.utf8.split(separator: UInt8(ascii: "\n")) {
      switch line.first {
      case UInt8(ascii: "@"): isInHunk = true
      case UInt8(ascii: "+") where isInHunk: counts.additions += 1
      case UInt8(ascii: "-") where isInHunk: counts.deletions += 1
      default: break
      }
    }
    return counts
  }
}
