import Logging

/// Passes lines on to another logger, and keeps metadata itself: there are handlers that forget it, such as the one that logs
/// nothing.
struct RememberingLogHandler: LogHandler {
  private let base: Logger
  var metadata = Logger.Metadata()
  var logLevel: Logger.Level

  init(_ base: Logger) {
    self.base = base
    logLevel = base.logLevel
  }

  subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    base.log(
      level: event.level, event.message, metadata: metadata.merging(event.metadata ?? [:]) { $1 }, source: event.source,
      file: event.file, function: event.function, line: event.line)
  }
}
