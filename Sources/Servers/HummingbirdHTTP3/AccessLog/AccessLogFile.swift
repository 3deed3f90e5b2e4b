import Dispatch
public import Logging
import StreamTransport
import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// Writes an access log to a file, or to standard output, on a thread of its own.
///
/// ```swift
/// let log = try AccessLogFile(path: "/var/log/app/access.log", logger: logger)
/// configuration.accessLog = log.append
/// ```
///
/// A slow disk holds up no request: 1 MiB waits for it at most, and lines beyond that are dropped, counted, and reported to
/// the logger. So is a disk that takes nothing.
public final class AccessLogFile: Sendable {
  /// Bytes that may wait to be written.
  static let backlogLimit = 1 << 20

  private struct State {
    var waiting: [UInt8] = []
    var isWriting = false
    /// Lines that were dropped since it was last reported.
    var dropped = 0
  }

  private let state = Mutex(State())
  private let target: AccessLogTarget
  private let format: AccessLogFormat
  private let logger: Logger
  private let queue = DispatchQueue(label: "access log")

  /// Opens the file at `path`, which is made where it is missing, for its owner to write and its group to read. Lines are
  /// added at its end.
  ///
  /// Throws ``MultiProtocolError`` with `accessLog` where it cannot be opened.
  public init(path: String, format: AccessLogFormat = .combined, logger: Logger) throws(MultiProtocolError) {
    do {
      target = try AccessLogTarget(path: path)
    } catch {
      throw MultiProtocolError(
        .accessLog, "The access log cannot be written: \(error). Name a file in a folder that you may write to.",
        cause: error)
    }
    self.format = format
    self.logger = logger
  }

  private init(_ target: AccessLogTarget, _ format: AccessLogFormat, _ logger: Logger) {
    self.target = target
    self.format = format
    self.logger = logger
  }

  /// A log on this process's standard output. Ignore `SIGPIPE` where its reader may end before the process does.
  public static func standardOutput(format: AccessLogFormat = .combined, logger: Logger) -> AccessLogFile {
    AccessLogFile(AccessLogTarget(standardOutput: ()), format, logger)
  }

  /// Adds a record's line; returns at once.
  @Sendable public func append(_ record: AccessRecord) {
    append(record.bytes(format) + [UInt8(ascii: "\n")])
  }

  /// Opens the path again: call it after the file was renamed, as by logrotate. Lines that wait may still go to the old file,
  /// and all do where the path cannot be opened, of which the logger hears.
  public func reopen() {
    queue.async { [self] in
      do throws(PrivateFile.Failure) {
        try target.reopen()
      } catch {
        logger.error("The access log stays with its old file: \(error)")
      }
    }
  }

  /// Returns when what was given before is written, or after `limit`: standard output may be a pipe that nobody reads.
  public func flush(within limit: Duration = .seconds(5)) async {
    let written = OneShot<Void>()
    // Each batch asks for the next behind what was asked for before it.
    queue.async { [self] in
      write()
      written.answer(.success(()))
    }
    let alarm = Task {
      try await Task.sleep(for: limit)
      written.answer(.success(()))
    }
    try? await written.value()
    alarm.cancel()
  }

  // MARK: Parts

  private func append(_ line: [UInt8]) {
    let isFirst = state.withLock { state in
      guard state.waiting.count + line.count <= Self.backlogLimit else {
        state.dropped += 1
        return false
      }
      state.waiting += line
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if isFirst { queue.async { [self] in write() } }
  }

  /// Writes what waits; on the queue.
  private func write() {
    let (bytes, dropped) = state.withLock { state in
      defer {
        state.waiting = []
        state.isWriting = false
        state.dropped = 0
      }
      return (state.waiting, state.dropped)
    }
    if dropped > 0 {
      logger.warning("\(dropped) lines of the access log were dropped: its file takes them too slowly.")
    }
    guard !bytes.isEmpty else { return }
    do throws(PrivateFile.Failure) {
      if try target.write(bytes) { logger.notice("The access log is written again.") }
    } catch {
      if target.isFirstFailure { logger.error("Lines of the access log are lost: \(error)") }
    }
  }
}
