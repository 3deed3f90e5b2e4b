package import ArgumentParser
import Glibc
package import HummingbirdHTTP3
package import Logging

/// The access log that a server writes.
package struct AccessLogOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write a line for each request to this file, or to standard output ('-'). SIGHUP opens the file again.",
      valueName: "file|-"))
  package var accessLog: String?

  @Option(
    help: "combined (the Combined Log Format, and more behind it) or json (an object a line).", transform: Self.format)
  package var accessLogFormat = AccessLogFormat.combined

  package init() {}

  /// Opens the log; nil where none is asked for.
  package func open(_ logger: Logger) throws -> AccessLogFile? {
    guard let accessLog else { return nil }
    guard accessLog == "-" else {
      do {
        return try AccessLogFile(path: accessLog, format: accessLogFormat, logger: logger)
      } catch {
        throw ValidationError(error.message)
      }
    }
    // A server outlives the reader of its standard output.
    signal(SIGPIPE, SIG_IGN)
    return .standardOutput(format: accessLogFormat, logger: logger)
  }

  private static func format(_ text: String) throws -> AccessLogFormat {
    guard let format = AccessLogFormat(rawValue: text) else {
      throw ValidationError("--access-log-format is combined or json.")
    }
    return format
  }
}
