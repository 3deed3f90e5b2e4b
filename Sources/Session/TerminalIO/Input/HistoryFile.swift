import Foundation
import ResolveKitCore
import StreamTransport

/// The messages that were typed, one JSON string a line, in a file for its owner alone.
///
/// Each message is appended at once, and with a lock (a file beside it), so that a killed program and two programs beside
/// each other lose nothing. A message that begins with a space is not kept.
package struct HistoryFile: Sendable {
  /// Messages that are kept; the file is cut to the newest of them when it has twice as many, or is too large.
  package static let limit = 1000
  /// Bytes of the file that are read: its newest ones.
  static let sizeLimit = 8 << 20

  private let path: String

  package init(path: String) {
    self.path = path
  }

  /// The messages, oldest first; what can't be read is left out.
  package func load() -> [String] {
    let (messages, isLong) = read()
    // Read again with the lock held: another program may have added to it.
    if isLong { try? PrivateFile.withLock(lock) { try replace(with: read().messages) } }
    return messages
  }

  package func append(_ message: String) {
    guard !message.hasPrefix(" "), !message.isEmpty else { return }
    // A history that can't be kept is no reason to stop talking.
    try? PrivateFile.withLock(lock) {
      let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return }
      defer { close(descriptor) }
      try PrivateFile.append(Array(Self.line(message).utf8), to: descriptor)
    }
  }

  private var lock: String { path + ".lock" }

  /// The newest messages, and whether the file has many more.
  private func read() -> (messages: [String], isLong: Bool) {
    guard let handle = FileHandle(forReadingAtPath: path), let size = try? handle.seekToEnd() else {
      return ([], false)
    }
    let start = size - min(size, UInt64(Self.sizeLimit))
    guard (try? handle.seek(toOffset: start)) != nil, let data = try? handle.readToEnd() else { return ([], false) }
    var lines = data.split(separator: UInt8(ascii: "\n"))
    // The first one was cut off.
    if start > 0, !lines.isEmpty { lines.removeFirst() }
    let messages = lines.compactMap { line -> String? in
      guard case .string(let message)? = try? JSONValue(parsing: Array(line)) else { return nil }
      return message
    }
    return (messages.suffix(Self.limit), start > 0 || messages.count >= 2 * Self.limit)
  }

  private func replace(with messages: [String]) throws {
    try PrivateFile.write(Array(messages.map(Self.line).joined().utf8), to: path)
  }

  private static func line(_ message: String) -> String {
    JSONValue.string(message).jsonText + "\n"
  }
}
