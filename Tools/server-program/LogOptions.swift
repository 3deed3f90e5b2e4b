package import ArgumentParser
package import Logging

/// The amount that a server writes to standard error.
package struct LogOptions: ParsableArguments {
  @Option(
    help: "trace, debug, info, notice, warning, error or critical; the log goes to standard error.",
    transform: Self.level)
  package var logLevel = Logger.Level.notice

  package init() {}

  /// A logger of this level.
  package func logger(_ label: String) -> Logger {
    var logger = Logger(label: label) { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = logLevel
    return logger
  }

  private static func level(_ text: String) throws -> Logger.Level {
    guard let level = Logger.Level(rawValue: text) else {
      throw ValidationError("--log-level is trace, debug, info, notice, warning, error or critical.")
    }
    return level
  }
}
