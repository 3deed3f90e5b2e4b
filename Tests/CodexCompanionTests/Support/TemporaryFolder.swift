import Foundation
import Testing

/// A folder of a test's own, closed to others; gone with the object.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    // Short: the path of a unix socket has at most 107 bytes.
    path = "/tmp/cc-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  func text(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }

  func write(_ text: String, to name: String, mode: Int = 0o600) throws {
    try text.write(toFile: file(name), atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name))
  }

  func mode(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue
  }
}
