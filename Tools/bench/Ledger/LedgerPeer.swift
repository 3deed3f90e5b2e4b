import ArgumentParser
import EventLedger
import EventLedgerPostgres
import Foundation
import Processes
import Synchronization
import ToolSupport

/// Readers and a writer of streams whose events count from 1, which `Tools/ledger-check` starts, kills and starts again.
struct LedgerPeer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ledger-peer", abstract: "Follows a counting stream, or writes it.", shouldDisplay: false)

  @Option(help: "The database's address.") var url: String
  @Option(help: "The stream.") var stream: String
  @Option(help: "Readers; 0 to write.") var readers = 0
  @Option(help: "The event after which readers begin.") var after: Int64 = 0
  @Option(help: "The last event.") var until: Int64
  @Option(help: "Events a second that are written.") var rate = 200.0
  @Option(help: "Events of one append.") var batch = 1

  func run() async throws {
    // The server may be away when this begins.
    while true {
      do {
        let ledger = try await PostgresEventLedger.open(url, limits: PostgresLimits(statementTimeout: .seconds(5)))
        return try await readers > 0 ? read(ledger) : write(ledger)
      } catch let error as LedgerError {
        guard case .unavailable = error.code else { throw error }
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  /// Writes what is missing, in step with the time, under leases that it takes again where it lost one.
  private func write(_ ledger: PostgresEventLedger) async throws {
    let holder = "peer/\(ProcessInfo.processInfo.processIdentifier)"
    let queue = AppendQueue(ledger, limits: AppendLimits(attempts: 1_000))
    var lease = try await persist { try await ledger.lease(stream, to: holder, for: .seconds(3)) }
    var next = try await persist { try await ledger.extent(of: stream).last } + 1
    let (start, first) = (ContinuousClock.now, next)
    while next <= until {
      let last = min(next + Int64(batch) - 1, until)
      let drafts = (next...last).map { LedgerDraft(type: "n", payload: Array("\($0)".utf8)) }
      do {
        _ = try await queue.append(drafts, under: lease, key: "\(next)")
        next = last + 1
      } catch let error as LedgerError where error.code == .fenced {
        lease = try await persist { try await ledger.lease(stream, to: holder, for: .seconds(3)) }
        next = try await persist { try await ledger.extent(of: stream).last } + 1
      }
      report(["written": next - 1])
      try await Task.sleep(until: start + .seconds(Double(next - first) / rate), clock: .continuous)
    }
  }

  private func persist<Value>(_ body: () async throws -> Value) async throws -> Value {
    while true {
      do { return try await body() } catch let error as LedgerError {
        switch error.code {
        case .unavailable, .leased, .exhausted: try await Task.sleep(for: .milliseconds(100))
        case .fenced, .unknownStream, .deletedStream, .keyReused, .trimmed, .cursorAhead, .invalid, .database:
          throw error
        }
      }
    }
  }

  private struct Progress: Sendable {
    var positions: [Int64]
    /// Microseconds between an event's storing and its arrival at the slowest reader, since the last report.
    var latest: Int64 = 0
    var read: Int64 = 0
  }

  /// Follows the stream with all readers; fails at the first event that is not the next one.
  private func read(_ ledger: PostgresEventLedger) async throws {
    let feed = LedgerFeed(ledger, limits: FeedLimits(failures: 10_000))
    let progress = ProgressBox(Progress(positions: Array(repeating: after, count: readers)))
    let reports = Task {
      while !Task.isCancelled {
        report(progress)
        try await Task.sleep(for: .milliseconds(500))
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for reader in 0..<readers { group.addTask { try await follow(feed, reader, progress) } }
      try await group.waitForAll()
    }
    reports.cancel()
    report(progress)
  }

  private func follow(_ feed: LedgerFeed, _ reader: Int, _ progress: ProgressBox) async throws {
    var cursor = after
    var fence: Int64 = 0
    while cursor < until {
      do {
        for try await event in feed.follow(stream, after: cursor) {
          guard event.sequence == cursor + 1, event.payload == Array("\(event.sequence)".utf8), event.fence >= fence
          else { throw ValidationError("event \(event.sequence) after \(cursor) is not the next one") }
          (cursor, fence) = (event.sequence, event.fence)
          let delay = WallTime.current.microseconds - event.time.microseconds
          progress.change { progress in
            progress.positions[reader] = cursor
            progress.latest = max(progress.latest, delay)
            progress.read += 1
          }
          if cursor == until { return }
        }
      } catch let error as LedgerError {
        // There is no stream before its writer has made it.
        guard
          error.code == .unknownStream || error.code == .unavailable(mayHaveHappened: false)
            || error.code == .unavailable(mayHaveHappened: true)
        else { throw error }
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  private func report(_ progress: ProgressBox) {
    let now = progress.change { progress in
      defer { progress.latest = 0 }
      return progress
    }
    report([
      "least": now.positions.min() ?? 0, "read": now.read, "latest": now.latest,
      "memory": Int64((ProcessMemory().peak ?? 0) >> 10),
    ])
  }

  private final class ProgressBox: Sendable {
    private let progress: Mutex<Progress>
    init(_ progress: Progress) { self.progress = Mutex(progress) }
    @discardableResult
    func change<Value: Sendable>(_ body: (inout Progress) -> Value) -> Value { progress.withLock { body(&$0) } }
  }

  private func report(_ values: [String: Int64]) {
    // Numbers always have a JSON form.
    if let line = try? JSONLine.text(of: values) { StandardOutput.write(line) }
  }
}
