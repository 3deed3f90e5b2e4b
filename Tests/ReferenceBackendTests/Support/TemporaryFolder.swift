import Foundation

/// A folder that goes with its last reference.
final class TemporaryFolder: Sendable {
  private let root: String

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "backend-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  func path(_ name: String) -> String { "\(root)/\(name)" }

  deinit { try? FileManager.default.removeItem(atPath: root) }
}
