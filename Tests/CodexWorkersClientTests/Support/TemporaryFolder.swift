import Foundation

/// A folder of a test's own; gone with the object.
final class TemporaryFolder: Sendable {
  let path = "/tmp/wc-\(String(UInt64.random(in: 0 ... .max), radix: 36))"

  init() throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The names in the folder.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  func bytes(_ name: String) -> [UInt8] {
    FileManager.default.contents(atPath: "\(path)/\(name)").map(Array.init) ?? []
  }

  func write(_ bytes: [UInt8], to name: String, mode: Int = 0o600) {
    _ = FileManager.default.createFile(
      atPath: "\(path)/\(name)", contents: Data(bytes), attributes: [.posixPermissions: mode])
  }

  func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.posixPermissions] as? Int
  }
}
