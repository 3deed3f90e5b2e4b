import Synchronization

/// Collects key-log lines.
final class KeyLogRecorder: Sendable {
  private let storage = Mutex<[String]>([])

  func append(_ line: String) { storage.withLock { $0.append(line) } }
  var lines: [String] { storage.withLock { $0 } }
}
