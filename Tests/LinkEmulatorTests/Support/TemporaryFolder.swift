import Foundation

/// A folder that goes with its last reference.
final class TemporaryFolder: Sendable {
  let root: String

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "link-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  func path(_ name: String) -> String { "\(root)/\(name)" }

  func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  func bytes(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: path(name)))) }

  deinit { try? FileManager.default.removeItem(atPath: root) }
}
