import Foundation

/// A folder of one test, removed with it.
struct EndpointFolder: Sendable {
  let path: String

  private init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "endpoint-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  static func run(_ body: (EndpointFolder) throws -> Void) throws {
    let folder = try EndpointFolder()
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    try body(folder)
  }

  static func run(_ body: (EndpointFolder) async throws -> Void) async throws {
    let folder = try EndpointFolder()
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    try await body(folder)
  }

  func write(_ text: String, _ name: String) throws { try write(Array(text.utf8), name) }

  func write(_ bytes: [UInt8], _ name: String) throws {
    let url = URL(filePath: path + "/" + name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  func read(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path + "/" + name))) }

  func names(in name: String) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: path + "/" + name))
  }
}
