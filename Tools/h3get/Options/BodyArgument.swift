import ArgumentParser
import Foundation

/// What `-d` names, read.
enum BodyArgument {
  /// Bytes that are held in memory.
  static let limit = 64 << 20

  /// The parts joined by `&`, as curl joins them. Throws `ValidationError`.
  static func read(_ parts: [String]) throws -> [UInt8] {
    var body: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index > 0 { body.append(UInt8(ascii: "&")) }
      body += try bytes(of: part)
      guard body.count <= limit else { throw tooLarge }
    }
    return body
  }

  private static func bytes(of part: String) throws -> [UInt8] {
    guard part.hasPrefix("@") else { return Array(part.utf8) }
    let path = String(part.dropFirst())
    guard !path.isEmpty else {
      throw ValidationError("-d @ names no file; give -d @FILE, or -d @- for standard input.")
    }
    do {
      let file =
        path == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      var bytes: [UInt8] = []
      while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty {
        bytes += chunk
        guard bytes.count <= limit else { throw tooLarge }
      }
      return bytes
    } catch let error as ValidationError {
      throw error
    } catch {
      throw ValidationError("The body's file '\(path)' cannot be read; check its name and who may read it.")
    }
  }

  private static var tooLarge: ValidationError {
    ValidationError("The body is larger than \(limit >> 20) MiB, which are held in memory; send less.")
  }
}
