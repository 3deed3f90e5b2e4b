import Crypto
import JSONService
package import ResolveKitCore

/// A folder that codex has worked in.
package struct Project: Hashable, Sendable {
  /// The longest path (PATH_MAX of Linux, with its NUL).
  static let maximumPath = 4_095

  package let id: String
  package let folder: String
  /// The time of the latest change to a chat of it, in seconds since 1970.
  package internal(set) var updatedAt: Int

  /// nil where the path can be none of a folder: it has to be absolute.
  package init?(folder: String, updatedAt: Int) {
    guard folder.hasPrefix("/"), folder.utf8.count <= Self.maximumPath, !folder.utf8.contains(0) else { return nil }
    self.folder = folder
    self.updatedAt = updatedAt
    id = Self.id(of: folder)
  }

  /// The first 12 hexadecimal digits of the path's SHA-256.
  package static func id(of folder: String) -> String {
    Hexadecimal.text(SHA256.hash(data: Array(folder.utf8)).prefix(6))
  }

  /// The folder's own name.
  package var title: String { folder.split(separator: "/").last.map(String.init) ?? "/" }

  package var json: JSONValue {
    [
      "id": .string(id), "cwd": .string(folder), "title": .string(title), "lastUpdatedAt": .number(Double(updatedAt)),
    ]
  }
}
