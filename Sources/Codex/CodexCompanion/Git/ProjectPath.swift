import Glibc
import ResolveKitCore

/// A path that a client names within a project.
struct ProjectPath: Hashable, Sendable {
  /// The longest path (PATH_MAX of Linux, with its NUL).
  static let maximumLength = 4_095

  /// From the project's folder on, without `.` and empty parts.
  let relative: String

  /// Checks a path by its text and, as far as it exists, by where its folders really are. Throws ``GitError``.
  init(_ text: String, in folder: String) throws(GitError) {
    // By bytes, as the system has it: to Swift, a slash with an accent behind it is another character.
    let slash = UInt8(ascii: "/")
    let parts = text.utf8.split(separator: slash).map { String(decoding: $0, as: UTF8.self) }.filter { $0 != "." }
    guard text.utf8.first != slash, !text.utf8.contains(0), text.utf8.count <= Self.maximumLength, !parts.isEmpty,
      !parts.contains("..")
    else { throw Self.refusal(text) }
    relative = parts.joined(separator: "/")
    guard let root = Self.realPath(folder) else {
      throw GitError(.refused, "The project's folder is gone; '\(folder)' does not exist.")
    }
    // The last part may be a link itself: git shows where it points to, and does not follow it.
    for count in parts.indices.dropFirst() {
      guard let real = Self.realPath(folder + "/" + parts[..<count].joined(separator: "/")) else { return }
      guard real == root || real.hasPrefix(root == "/" ? root : root + "/") else { throw Self.refusal(text) }
    }
  }

  private static func refusal(_ text: String) -> GitError {
    GitError(
      .refused,
      "\(String(text.prefix(100)).visibleJSON) is no path within the project; name one from the project's folder on.")
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
