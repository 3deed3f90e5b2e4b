import Dispatch
import EventLedger
import EventLedgerPostgres
import Foundation
import TestSupport
import Testing

/// A ledger's patience with connections and locks that others hold.
@Suite(
  .timeLimit(.minutes(10)), .enabled(if: PostgresCluster.isExpected, "PostgreSQL: Tools/setup --tests installs it"))
struct PostgresPatienceTests {
  private let clock = ManualClock()

  /// Holds a connection until it is released.
  private struct Holder {
    private let held = DispatchSemaphore(value: 0)
    private let task: Task<Void, any Error>

    init(_ ledger: PostgresEventLedger) async {
      let begun = Gate()
      task = Task { [held] in
        try await ledger.rows.read { _ in
          begun.open()
          held.wait()
        }
      }
      await begun.wait()
    }

    func letGo() async throws {
      held.signal()
      try await task.value
    }
  }

  private func code(_ task: Task<some Sendable, any Error>) async -> LedgerError.Code? {
    do {
      _ = try await task.value
      return nil
    } catch { return (error as? LedgerError)?.code }
  }

  private func pass(seconds: Int) async {
    for _ in 0..<seconds {
      await clock.waitForSleep(of: .seconds(1))
      clock.advance(by: .seconds(1))
    }
  }

  /// Two processes share the database; each waits for its own connections alone.
  @Test func aWaitForAConnectionEndsWithAnError() async throws {
    let url = try PostgresCluster.get().makeDatabase()
    let ledger = try await PostgresEventLedger.open(url, limits: PostgresLimits(connections: 1), clock: clock)
    let other = try await PostgresEventLedger.open(url, limits: PostgresLimits(connections: 1), clock: clock)
    let holder = await Holder(ledger)
    let early = Task { try await ledger.lease("s", to: "one", for: .seconds(100)) }
    await pass(seconds: 5)
    let late = Task { try await ledger.lease("t", to: "one", for: .seconds(100)) }
    await pass(seconds: 10)
    #expect(await code(early) == .unavailable(mayHaveHappened: false))
    let error = await #expect(throws: LedgerError.self) { _ = try await early.value }
    #expect(error?.message.contains("No connection to PostgreSQL came free in 15.0 seconds") == true)
    // The other process is not touched by it, and sees that nothing happened.
    #expect(try await other.extents(of: ["s", "t"]).isEmpty)
    try await holder.letGo()
    #expect(try await late.value.stream == "t")
    #expect(try await other.lease("s", to: "two", for: .seconds(100)).fence == 1)
    ledger.close()
    other.close()
  }

  /// What finds no connection waits for those that there are, and a place without one is in nobody's way after that.
  @Test func aServerThatAllowsFewerConnectionsServesAll() async throws {
    let cluster = try PostgresCluster.get()
    let url = try cluster.makeDatabase()
    let role = "few_" + UUID().uuidString.replacing("-", with: "").lowercased()
    // One may be the listener's.
    try cluster.run("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 3; GRANT ALL ON SCHEMA public TO \(role)", in: url)
    // A place that was refused once is not tried again within the test.
    let ledger = try await PostgresEventLedger.open(
      url.replacing("user=ledger", with: "user=\(role)"),
      limits: PostgresLimits(connections: 8, pause: .seconds(3_600), longestPause: .seconds(3_600)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<40 {
        group.addTask {
          _ = try await ledger.rows.read { try $0.run("SELECT pg_sleep(0.01)::text", []) }
        }
      }
      try await group.waitForAll()
    }
    for number in 0..<20 { #expect(try await ledger.lease("s\(number)", to: "one", for: .seconds(1)).fence == 1) }
    ledger.close()
  }

  @Test func aCallThatIsCancelledLeavesItsPlace() async throws {
    let url = try PostgresCluster.get().makeDatabase()
    let ledger = try await PostgresEventLedger.open(
      url, limits: PostgresLimits(connections: 1, waiting: 1), clock: clock)
    let holder = await Holder(ledger)
    let waiting = Task { try await ledger.lease("s", to: "one", for: .seconds(100)) }
    await clock.waitForSleep(of: .seconds(1))
    await #expect(throws: LedgerError.self) { try await ledger.identity() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let next = Task { try await ledger.extents(of: ["s"]) }
    // It waits, or it would be refused at once as above.
    try await holder.letGo()
    #expect(try await next.value.isEmpty)
    ledger.close()
  }

  /// A process that was stopped in a transaction, or whose machine is gone, holds no stream for longer than others wait.
  @Test func whatAStoppedProcessHasLockedIsTakenFromIt() async throws {
    let url = try PostgresCluster.get().makeDatabase()
    let ledger = try await PostgresEventLedger.open(url, limits: PostgresLimits(statementTimeout: .seconds(1)))
    let first = try await ledger.lease("s", to: "one", for: .seconds(0))
    let stopped = Process()
    let (orders, answers) = (Pipe(), Pipe())
    stopped.executableURL = URL(filePath: "/usr/bin/env")
    stopped.arguments = ["PGAPPNAME=agent-stream ledger", "psql", url, "-qAtX"]
    (stopped.standardInput, stopped.standardOutput) = (orders, answers)
    stopped.standardError = FileHandle.nullDevice
    try stopped.run()
    let words = "BEGIN; SELECT 'locked' FROM ledger_streams FOR UPDATE;\n"
    try orders.fileHandleForWriting.write(contentsOf: Data(words.utf8))
    #expect(answers.fileHandleForReading.availableData == Data("locked\n".utf8))
    // Both wait for the lock in vain; the first that gives up ends the one who holds it.
    var refused = 0
    while true {
      do {
        #expect(try await ledger.lease("s", to: "two", for: .seconds(100)).fence == first.fence + 1)
        break
      } catch let error as LedgerError where error.code == .unavailable(mayHaveHappened: false) { refused += 1 }
      try #require(refused < 10)
    }
    #expect(refused > 0)
    try orders.fileHandleForWriting.close()
    stopped.waitUntilExit()
    ledger.close()
  }
}
