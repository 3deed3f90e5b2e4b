package import Logging
import Synchronization

/// A log that a test reads.
package final class LogBook: Sendable {
  /// A line: what was said, with its metadata and the logger's.
  package struct Line: Sendable {
    package let message: String
    package let metadata: [String: String]
  }

  private struct Handler: LogHandler {
    let book: LogBook
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.debug

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let metadata = self.metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { "\($0)" }
      book.written.withLock { $0.append(Line(message: "\(event.message)", metadata: metadata)) }
    }
  }

  private let written = Mutex<[Line]>([])

  package init() {}

  package var lines: [Line] { written.withLock { $0 } }

  package func logger(_ label: String) -> Logger { Logger(label: label) { _ in Handler(book: self) } }
}
