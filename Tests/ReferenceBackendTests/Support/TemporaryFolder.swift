import Foundation

/// A folder that goes with its last reference.
final class TemporaryFolder: Sendable {
  private let root: String

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "backend-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  func path(_ name: String) -> String { "\(root)/\(name)" }

  /// Copies an open database as `kill -9` would leave it; returns the copy's path.
  func crashed(_ name: String) throws -> String {
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path(name + suffix), toPath: path("copy-\(name)\(suffix)"))
    }
    return path("copy-\(name)")
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }
}
