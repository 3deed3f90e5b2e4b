import ArgumentParser
import Foundation
import Glibc
import StreamTransport

/// The API keys that clients must show, and where a person finds them.
struct AcceptedKeys {
  let values: [String]
  /// Lines to print about the keys; never a key.
  let lines: [String]

  static func choose(file: String?, environment: [String: String], state: StateFolder) throws -> AcceptedKeys {
    if let file {
      let keys = try read(file)
      guard !keys.isEmpty else { throw ValidationError("'\(file)' has no API key in it.") }
      return AcceptedKeys(values: keys, lines: [])
    }
    if let key = environment["RESOLVEKIT_API_KEY"], !key.isEmpty {
      return AcceptedKeys(values: [key], lines: ["API key: from RESOLVEKIT_API_KEY"])
    }
    let path = try state.make() + "/api-key"
    if !FileManager.default.fileExists(atPath: path) { try make(path) }
    let keys = try read(path)
    guard !keys.isEmpty else { throw ValidationError("'\(path)' has no API key in it; delete it to get a new one.") }
    return AcceptedKeys(values: keys, lines: ["API key: \(path)"])
  }

  /// One key a line; empty lines and `#` lines are passed over. A file that every user of the machine may read, or write,
  /// is refused.
  static func read(_ path: String) throws -> [String] {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o007 != 0 {
      throw ValidationError(
        "The key file '\(path)' is open to every user of this machine; chmod o= '\(path)', and make a new key if others "
          + "may have read it.")
    }
    guard let data = FileManager.default.contents(atPath: path), data.count <= 64 << 10 else {
      throw ValidationError("'\(path)' cannot be read as a key file.")
    }
    return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }

  /// 256 random bits; a file that another process made meanwhile is kept.
  private static func make(_ path: String) throws {
    let digits = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { return }
      throw ValidationError("'\(path)' cannot be made: \(String(cString: strerror(errno))).")
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: Data("rk_\(digits.joined())\n".utf8))
  }
}
