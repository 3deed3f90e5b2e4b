import Dispatch
import Glibc
package import HTTP3Engine
package import Logging
import Synchronization

/// The directory that connections' traces are written to, one file each, on a thread of its own: a slow disk holds up no
/// event loop.
package final class QlogDirectory: Sendable {
  /// Bytes that may wait for the disk; while there are more, the engines keep what they record, then drop it and say so.
  private static let backlogLimit = 16 << 20

  let path: String
  private let logger: Logger
  private let queue = DispatchQueue(label: "qlog")
  private let backlog = Atomic<Int>(0)
  private let hasFailed = Atomic<Bool>(false)

  /// Nothing is touched before the first trace; what fails then is logged once, and connections continue without.
  package init(path: String, logger: Logger) {
    self.path = path
    self.logger = logger
  }

  /// A trace for an engine to record into, with the time of day that belongs to the loops' clock.
  package var configuration: QlogConfiguration {
    var configuration = QlogConfiguration()
    configuration.epoch =
      TransportClock.continuous.timeOfDay() - .nanoseconds(Int64(clamping: TransportClock.monotonicNanoseconds()))
    return configuration
  }

  /// Whether more may be taken from the engines.
  package var hasRoom: Bool { backlog.load(ordering: .relaxed) < Self.backlogLimit }

  /// The file of one connection, made when its first bytes come.
  package func makeFile() -> QlogFile { QlogFile(in: self) }

  /// Returns when all that was given before is written.
  package func flush() async {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
  }

  // MARK: The files' calls

  /// Runs `body`, which writes `count` bytes, after what was given before.
  func enqueue(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    backlog.add(count, ordering: .relaxed)
    queue.async { [self] in
      body()
      backlog.subtract(count, ordering: .relaxed)
    }
  }

  /// Opens a new file for `name`, readable by its owner alone; nil when that fails. On the queue.
  func open(_ name: String) -> Int32? {
    do {
      if !PrivateFile.isDirectory(path) { try PrivateFile.makeDirectory(path) }
      return try create(name)
    } catch {
      report(error.description)
      return nil
    }
  }

  func report(_ failure: String) {
    guard !hasFailed.exchange(true, ordering: .relaxed) else { return }
    logger.error(
      "Traces cannot be written (\(failure)); connections continue without. Give a directory that you may write to and that has room."
    )
  }

  // MARK: Parts

  /// A peer chooses the name's digits, so an older file of that name is never touched.
  private func create(_ name: String) throws(PrivateFile.Failure) -> Int32 {
    var number = 1
    while true {
      let file = "\(path)/\(name)\(number == 1 ? "" : "_\(number)").sqlog"
      let descriptor = Glibc.open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor >= 0 { return descriptor }
      guard errno == EEXIST, number < 100 else { throw PrivateFile.Failure("\(file) cannot be made", errno) }
      number += 1
    }
  }
}
