import Foundation
import ResolveKitCore

/// The messages that were typed, one JSON string a line, in a file for its owner alone.
///
/// Each message is appended at once, so that a killed program and two programs beside each other lose nothing. A message
/// that begins with a space is not kept.
package struct HistoryFile: Sendable {
  /// Messages that are kept; the file is cut to the newest of them when it has twice as many.
  package static let limit = 1000
  /// Bytes of the file that are read.
  private static let sizeLimit = 8 << 20

  private let path: String

  package init(path: String) {
    self.path = path
  }

  /// The messages, oldest first; what can't be read is left out.
  package func load() -> [String] {
    guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.read(upToCount: Self.sizeLimit) else {
      return []
    }
    let messages = String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line -> String? in
      guard case .string(let message)? = try? JSONValue(parsing: Array(line.utf8)) else { return nil }
      return message
    }
    if messages.count >= 2 * Self.limit { replace(with: messages.suffix(Self.limit)) }
    return messages.suffix(Self.limit)
  }

  package func append(_ message: String) {
    guard !message.hasPrefix(" "), !message.isEmpty else { return }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    // A history that can't be kept is no reason to stop talking.
    guard descriptor >= 0 else { return }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try? handle.write(contentsOf: Data(Self.line(message).utf8))
  }

  private func replace(with messages: some Sequence<String>) {
    let new = path + ".new"
    let text = messages.map(Self.line).joined()
    guard
      FileManager.default.createFile(
        atPath: new, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    else { return }
    _ = rename(new, path)
  }

  private static func line(_ message: String) -> String {
    JSONValue.string(message).jsonText + "\n"
  }
}
