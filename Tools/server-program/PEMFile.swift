import ArgumentParser
import Foundation

/// A certificate or a key as a file.
package enum PEMFile {
  private static let limit = 1 << 20

  /// The file's text. Throws a usage error where it cannot be read, or is too large for any of the two.
  package static func read(_ path: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: path), data.count <= limit else {
      throw ValidationError("'\(path)' cannot be read.")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
