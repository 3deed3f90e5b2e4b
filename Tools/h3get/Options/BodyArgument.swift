import ArgumentParser
import Foundation

/// The argument of `-d`, read.
enum BodyArgument {
  /// Bytes that are held in memory.
  static let limit = 64 << 20

  /// The parts joined by `&`, as curl joins them. Throws `ValidationError`.
  static func read(_ parts: [String]) throws -> [UInt8] {
    var body: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index > 0 { body.append(UInt8(ascii: "&")) }
      body += try bytes(of: part)
      guard body.count <= limit else {
        throw ValidationError("The body has more than the \(limit) bytes that are held in memory; send less.")
      }
    }
    return body
  }

  private static func bytes(of part: String) throws -> [UInt8] {
    guard part.hasPrefix("@") else { return Array(part.utf8) }
    return try read(file: String(part.dropFirst()), limit: limit)
  }

  /// The bytes of a file, `-` for standard input. Throws `ValidationError`.
  static func read(file path: String, limit: Int) throws -> [UInt8] {
    guard !path.isEmpty else {
      throw ValidationError("'@' names no file; give @FILE, or @- for standard input.")
    }
    do {
      let file =
        path == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      var bytes: [UInt8] = []
      while let chunk = try file.read(upToCount: min(limit + 1, 1 << 20)), !chunk.isEmpty {
        bytes += chunk
        guard bytes.count <= limit else {
          throw ValidationError("'\(path)' has more than the \(limit) bytes that are held in memory; send less.")
        }
      }
      return bytes
    } catch let error as ValidationError {
      throw error
    } catch {
      throw ValidationError("The file '\(path)' cannot be read; check its name and who may read it.")
    }
  }
}
