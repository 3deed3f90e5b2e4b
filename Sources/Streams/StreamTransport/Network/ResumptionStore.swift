import Dispatch
import Foundation
package import HTTP3Engine
public import Logging
import Synchronization
package import TransportRecords

/// A client's memory of HTTP/3 servers for fast reconnection: session tickets, each used once, address tokens,
/// round-trip times and which servers do not support ECN; in memory, or in a file that only its owner can read.
///
/// One store may serve many transports. A ticket is bound to the certificates of the server that gave it, and anyone who
/// uses it verifies those again.
public final class ResumptionStore: Sendable {
  /// A file of a store that was filled to its limits has a megabyte or two.
  private static let fileLimit = 16 << 20
  /// No connection waits longer for what would make it faster.
  private let patience: Duration
  /// Seconds since 1970.
  private let now: @Sendable () -> Double

  private let path: String?
  private let logger: Logger?
  private let memory = Mutex(ResumptionMemory())
  private let hasComplained = Mutex(false)
  /// Reading and writing stay off the tasks' threads.
  private let queue = DispatchQueue(label: "resumption-store")
  private let alarm: Alarm

  /// A store that lasts as long as the process.
  public convenience init() {
    self.init(path: nil, logger: nil)
  }

  /// The path of this package's programs: `$XDG_STATE_HOME/agent-stream/tickets`, or below `~/.local/state`.
  public static var standardPath: String {
    StateFolder(environment: ProcessInfo.processInfo.environment).path + "/tickets"
  }

  /// A store in a file, which processes may share. What cannot be read counts as nothing remembered; what cannot be
  /// written is logged, once.
  public convenience init(file path: String, logger: Logger = Logger(label: "resumption-store")) {
    self.init(path: path, logger: logger)
  }

  /// - Parameters:
  ///   - patience: how long a connection waits for what is remembered.
  ///   - alarm: ends the waits.
  ///   - now: the time of day, in seconds since 1970, by which what is kept ages.
  package init(
    path: String?, logger: Logger?, patience: Duration = .milliseconds(100), alarm: Alarm = .system,
    now: @escaping @Sendable () -> Double = { TransportClock.continuous.timeOfDay() / .seconds(1) }
  ) {
    self.alarm = alarm
    self.path = path
    self.logger = logger
    self.patience = patience
    self.now = now
  }

  /// Takes a ticket out, and returns the rest; nothing where the disk, or a process that holds the file, takes its time.
  package func take(_ origin: Origin) async -> RememberedServer {
    let answer = OneShot<RememberedServer>()
    queue.async { [self] in
      let now = now()
      let taken = change { $0.take(origin.authority, at: now) }
      // The caller may have continued without it.
      if !answer.answer(.success(taken)) { putBack(taken, for: origin) }
    }
    alarm.set(patience) { answer.answer(.success(RememberedServer())) }
    return (try? await answer.value()) ?? RememberedServer()
  }

  /// Returns what was taken and not sent.
  package func putBack(_ unused: RememberedServer, for origin: Origin) {
    if let ticket = unused.ticket { add(ticket, for: origin) }
    if let token = unused.token { update(origin) { record, _ in record.token = record.token ?? Data(token) } }
  }

  /// Returns when all earlier changes are written, or after a second.
  package func flush() async {
    let answer = OneShot<Void>()
    queue.async { answer.answer(.success(())) }
    alarm.set(.seconds(1)) { answer.answer(.success(())) }
    try? await answer.value()
  }

  /// Tickets that the next connections to the server may use.
  package func ticketCount(_ origin: Origin) async -> Int {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        continuation.resume(returning: change { $0.servers[origin.authority]?.tickets.count ?? 0 })
      }
    }
  }

  package func add(_ ticket: ResumptionTicket, for origin: Origin) {
    update(origin) { $0.add(ticket, at: $1) }
  }

  /// The server's tickets are of no use: it asks for another key exchange beside early data.
  package func forgetTickets(of origin: Origin) {
    update(origin) { record, _ in record.forgetTickets() }
  }

  package func setToken(_ token: [UInt8], for origin: Origin) {
    update(origin) { record, _ in record.token = Data(token) }
  }

  package func setRoundTrip(_ roundTrip: Duration, for origin: Origin) {
    let nanoseconds = Int64(clamping: roundTrip.nanosecondsClamped)
    update(origin) { record, _ in record.roundTrip = nanoseconds }
  }

  /// The server closed a connection at marks or reports of ECN.
  package func doubtECN(of origin: Origin) {
    update(origin) { record, now in record.ecnDoubtedAt = now }
  }

  private func update(_ origin: Origin, _ body: @escaping @Sendable (inout ServerRecord, _ now: Double) -> Void) {
    queue.async { [self] in
      let now = now()
      change { memory in memory.update(origin.authority, at: now) { body(&$0, now) } }
    }
  }

  /// Runs on the queue.
  private func change<Result: Sendable>(_ body: @Sendable (inout ResumptionMemory) -> Result) -> Result {
    guard let path else { return memory.withLock { body(&$0) } }
    do {
      let directory = (path as NSString).deletingLastPathComponent
      // One that is there keeps its permissions, which may be somebody else's business.
      if !directory.isEmpty, !PrivateFile.isDirectory(directory) { try PrivateFile.makeDirectory(directory) }
      return try PrivateFile.withLock(path + ".lock") {
        var memory = ResumptionMemory(file: (try? PrivateFile.read(path, limit: Self.fileLimit)) ?? [])
        let before = memory
        let result = body(&memory)
        if memory != before { try PrivateFile.write(memory.file, to: path, isDurable: false) }
        return result
      }
    } catch {
      logOnce(error)
      return memory.withLock { body(&$0) }
    }
  }

  private func logOnce(_ error: any Error) {
    let isFirst = hasComplained.withLock { hasComplained in
      defer { hasComplained = true }
      return !hasComplained
    }
    guard isFirst else { return }
    logger?.warning("session tickets are kept in memory only", metadata: ["reason": "\(error)"])
  }
}
