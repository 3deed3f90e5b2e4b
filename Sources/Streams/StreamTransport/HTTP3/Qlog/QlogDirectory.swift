import Dispatch
import Foundation
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
  /// Used on the queue alone; nil where all traces are kept.
  private let retention: Mutex<QlogRetention?>
  private let hasLooked = Atomic<Bool>(false)

  /// Nothing is touched before the first trace; what fails then is logged once, and connections continue without.
  package convenience init(path: String, logger: Logger) {
    self.init(path: path, keeping: nil, logger: logger)
  }

  /// - Parameter retention: which traces of servers are kept; nil keeps all.
  init(path: String, keeping retention: QlogRetention?, logger: Logger) {
    self.path = path
    self.retention = Mutex(retention)
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

  /// Opens a new file for `name`, readable by its owner alone; nil when that fails, or where there is no room for one. On the
  /// queue.
  func open(_ name: String) -> (descriptor: Int32, file: String)? {
    do {
      if !PrivateFile.isDirectory(path) { try PrivateFile.makeDirectory(path) }
      guard makeRoomForTrace() else { return nil }
      let made = try create(name)
      _ = retention.withLock { $0?.didOpen(made.file) }
      return made
    } catch {
      report(error.description)
      return nil
    }
  }

  /// Whether so many bytes may be added to an open trace. On the queue.
  func hasRoom(for count: Int, in file: String) -> Bool {
    let answer = retention.withLock { $0?.write(count, to: file) }
    remove(answer?.removed ?? [])
    return answer?.hasRoom ?? true
  }

  /// Notes that nobody writes a trace any more; from any thread.
  func didClose(_ file: String) {
    queue.async { [self] in _ = retention.withLock { $0?.didClose(file) } }
  }

  func report(_ failure: String) {
    guard !hasFailed.exchange(true, ordering: .relaxed) else { return }
    logger.error(
      "Traces cannot be written (\(failure)); connections continue without. Give a directory that you may write to and that has room."
    )
  }

  // MARK: Parts

  private func makeRoomForTrace() -> Bool {
    if !hasLooked.exchange(true, ordering: .relaxed) {
      remove(retention.withLock { $0?.begin(traces()) } ?? [])
    }
    let answer = retention.withLock { $0?.makeRoomForTrace() }
    remove(answer?.removed ?? [])
    return answer?.hasRoom ?? true
  }

  /// The traces of servers in the directory, the oldest first.
  private func traces() -> [(name: String, byteCount: Int)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let found = names.filter(QlogRetention.isTrace).compactMap { name -> (name: String, byteCount: Int, time: Date)? in
      guard let facts = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)"),
        let time = facts[.modificationDate] as? Date, let size = (facts[.size] as? NSNumber)?.intValue
      else { return nil }
      return (name, size, time)
    }
    return found.sorted { ($0.time, $0.name) < ($1.time, $1.name) }.map { ($0.name, $0.byteCount) }
  }

  private func remove(_ names: [String]) {
    for name in names { unlink("\(path)/\(name)") }
  }

  /// A peer chooses the name's digits, so an older file of that name is never touched.
  private func create(_ name: String) throws(PrivateFile.Failure) -> (descriptor: Int32, file: String) {
    var number = 1
    while true {
      let name = "\(name)\(number == 1 ? "" : "_\(number)").sqlog"
      let file = "\(path)/\(name)"
      let descriptor = Glibc.open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor >= 0 { return (descriptor, name) }
      guard errno == EEXIST, number < 100 else { throw PrivateFile.Failure("\(file) cannot be made", errno) }
      number += 1
    }
  }
}
