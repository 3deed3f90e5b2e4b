import EventLedger
import EventLedgerPostgres
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(
  .timeLimit(.minutes(10)), .enabled(if: PostgresCluster.isExpected, "PostgreSQL: Tools/setup --tests installs it"))
struct PostgresLedgerTests {
  private let draft = LedgerDraft(type: "word", payload: [1])

  private func code(_ body: () async throws -> Void) async -> LedgerError.Code? {
    do {
      try await body()
      return nil
    } catch { return (error as? LedgerError)?.code }
  }

  /// Repeats what fails for now, as ``AppendQueue`` does; the ledger itself pauses between connections.
  private func persist<Value>(_ body: () async throws -> Value) async throws -> Value {
    while true {
      do { return try await body() } catch let error as LedgerError {
        guard case .unavailable = error.code else { throw error }
        await Task.yield()
      }
    }
  }

  @Test func aDatabaseOfALaterVersionIsRefusedAndNothingIsChanged() async throws {
    let under = try await PostgresUnderTest.make()
    try under.run("INSERT INTO ledger_migrations VALUES ('of a later time')")
    let error = await #expect(throws: LedgerError.self) { _ = try await PostgresEventLedger.open(under.url) }
    #expect(error?.code == .database)
    #expect(error?.message.contains("of a later time") == true)
  }

  @Test func aStepOfTheSchemaMayTakeLongerThanAStatement() async throws {
    let url = try PostgresCluster.get().makeDatabase()
    let ledger = try await PostgresEventLedger.open(
      url, limits: PostgresLimits(connections: 1, statementTimeout: .seconds(2)))
    try await ledger.rows.migrate([PostgresMigration("slow", "SELECT pg_sleep(3)")], record: "slow_migrations")
    // What comes after has the limit again.
    #expect(
      await code { _ = try await ledger.rows.read { try $0.run("SELECT pg_sleep(3)::text", []) } }
        == .unavailable(mayHaveHappened: false))
    ledger.close()
  }

  @Test func manyOpenAnEmptyDatabaseAtOnce() async throws {
    let url = try PostgresCluster.get().makeDatabase()
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 { group.addTask { try await PostgresEventLedger.open(url).identity() } }
      let identities = try await group.reduce(into: Set<String>()) { $0.insert($1) }
      #expect(identities.count == 1)
    }
  }

  @Test func connectionsThatAreCutAreMadeAgainAndNothingIsStoredTwice() async throws {
    let under = try await PostgresUnderTest.make(
      PostgresLimits(connections: 2, pause: .milliseconds(1), longestPause: .milliseconds(20)))
    let lease = try await under.ledger.lease("s", to: "one", for: .seconds(100))
    let queue = AppendQueue(
      under.ledger, limits: AppendLimits(batchAppends: 4, attempts: 1_000, pause: .milliseconds(1)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<300 {
        group.addTask { _ = try await queue.append([draft, draft], under: lease, key: "\(index)") }
      }
      for _ in 0..<10 {
        try under.run(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
          """)
      }
      try await group.waitForAll()
    }
    #expect(try await persist { try await under.ledger.extent(of: "s").last } == 600)
    #expect(try under.run("SELECT count(*) FROM ledger_events") == "600")
  }

  @Test func anotherProcesssAppendsWakeAFeedWithoutItsPoll() async throws {
    let under = try await PostgresUnderTest.make()
    let other = try await under.another()
    let lease = try await other.lease("s", to: "one", for: .seconds(100))
    // A clock that stands still: the feed never polls by itself.
    let feed = LedgerFeed(under.ledger, clock: ManualClock())
    var events = feed.follow("s", after: 0).makeAsyncIterator()
    for number in Int64(1)...20 {
      _ = try await other.append([draft], under: lease, key: nil)
      #expect(try await events.next()?.sequence == number)
    }
    let ending = Task { try await feed.follow("s", after: 20).first { _ in true } }
    try await other.delete("s")
    #expect(try await ending.value == nil)
  }

  /// In one transaction with the events, a notification would hold the whole server's lock while they are flushed.
  @Test func aNotificationIsNoPartOfTheAppendThatItTellsOf() async throws {
    let under = try await PostgresUnderTest.make()
    try under.run(
      """
      CREATE FUNCTION pg_notify(text, text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE 'no news'; END $$;
      ALTER ROLE CURRENT_USER IN DATABASE "\(try under.run("SELECT current_database()"))" SET search_path = public, pg_catalog
      """)
    let ledger = try await under.another()
    let lease = try await ledger.lease("s", to: "one", for: .seconds(100))
    for number in Int64(1)...3 {
      #expect(try await ledger.append([draft], under: lease, key: nil).sequences == number...number)
    }
    #expect(try await ledger.extent(of: "s").last == 3)
  }

  @Test func notificationsOfAnyFormAreRead() async throws {
    let under = try await PostgresUnderTest.make()
    let heard = Mutex<[LedgerChange]>([])
    let gate = Gate()
    let subscription = under.ledger.news.subscribe { change in
      heard.withLock { $0.append(change) }
      if change == .deleted(stream: "end") { gate.open() }
    }
    // Notifications before LISTEN are lost: it is there once an own one is heard.
    let feed = LedgerFeed(under.ledger, clock: ManualClock())
    while !heard.withLock({ $0.contains(.appended(stream: "here", last: 1)) }) {
      try under.run("SELECT pg_notify('ledger', 'a1 here')")
    }
    try under.run(
      """
      SELECT pg_notify('ledger', word) FROM unnest(ARRAY[
        '', ' ', 'a', 'a1', 'ax s', 'q1 s', 'a99999999999999999999 s', 'ä1 s', 't5 a b', 'a7 ', 'd0 end']) AS word
      """)
    await gate.wait()
    let known: [LedgerChange] = [.missed, .appended(stream: "here", last: 1)]
    #expect(
      heard.withLock { $0.filter { !known.contains($0) } } == [
        .trimmed(stream: "a b", floor: 5), .appended(stream: "", last: 7), .deleted(stream: "end"),
      ])
    withExtendedLifetime((subscription, feed)) {}
  }

  @Test func aServerThatCannotBeReachedOrDoesNotAnswerIsUnavailable() async throws {
    let nowhere = "postgresql:///x?host=/nowhere&user=ledger"
    #expect(await code { _ = try await PostgresEventLedger.open(nowhere) } == .unavailable(mayHaveHappened: false))
    for url in ["", "x", "postgresql://\0"] {
      #expect(await code { _ = try await PostgresEventLedger.open(url) } == .invalid)
    }
    let cluster = try PostgresCluster(settings: ["fsync=off"])
    defer { cluster.stop() }
    let ledger = try await PostgresEventLedger.open(
      cluster.url,
      limits: PostgresLimits(connections: 1, connectTimeout: .milliseconds(200), statementTimeout: .seconds(1)))
    let lease = try await ledger.lease("s", to: "one", for: .seconds(100))
    let backends = try cluster.run(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database()", in: cluster.url
    ).split(separator: "\n").compactMap { Int32($0) }
    let postmaster = try String(contentsOfFile: cluster.folder + "/data/postmaster.pid", encoding: .utf8)
      .split(separator: "\n").first.flatMap { Int32($0) }
    for pid in backends + [postmaster ?? 0] where pid > 1 { kill(pid, SIGSTOP) }
    let stopped = await code { _ = try await ledger.append([draft], under: lease, key: "k") }
    // The backend's wait is cancelled; a new connection waits for the postmaster.
    let again = await code { _ = try await ledger.append([draft], under: lease, key: "k") }
    for pid in backends + [postmaster ?? 0] where pid > 1 { kill(pid, SIGCONT) }
    #expect(stopped == .unavailable(mayHaveHappened: true))
    #expect(again == .unavailable(mayHaveHappened: false))
    let receipt = try await persist { try await ledger.append([draft], under: lease, key: "k") }
    #expect(receipt.sequences == 1...1)
  }

  @Test func aDumpThatIsRestoredHasAnotherIdentity() async throws {
    let under = try await PostgresUnderTest.make()
    let lease = try await under.ledger.lease("s", to: "one", for: .seconds(100))
    for index in 0..<20 { _ = try await under.ledger.append([draft], under: lease, key: "\(index)") }
    let cluster = try PostgresCluster.get()
    let file = cluster.folder + "/" + UUID().uuidString
    _ = try PostgresCluster.output(of: "pg_dump", [under.url, "-Fc", "-f", file])
    let target = try cluster.makeDatabase()
    _ = try PostgresCluster.output(of: "pg_restore", ["-d", target, file])
    let restored = try await PostgresEventLedger.open(target)
    let identity = try await restored.identity()
    #expect(try await under.ledger.identity() != identity)
    #expect(try await restored.identity() == identity)
    #expect(try await restored.events(of: "s", after: 0, limit: 100).map(\.sequence) == Array(1...20))
    #expect(try await restored.append([draft], under: lease, key: "19").isRepeat)
    #expect(try await restored.append([draft], under: lease, key: nil).sequences == 21...21)
  }

  @Test func twoProcessesThatWriteToTheSameStreamsDoNotBlockEachOther() async throws {
    let under = try await PostgresUnderTest.make()
    let other = try await under.another()
    var leases: [LedgerLease] = []
    for stream in ["a", "b", "c", "d"] {
      leases.append(try await under.ledger.lease(stream, to: "one", for: .seconds(100)))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<100 {
        group.addTask { [leases] in
          let appends = (index % 2 == 0 ? leases : leases.reversed()).map { LedgerAppend([draft], under: $0, key: nil) }
          for result in try await (index % 3 == 0 ? under.ledger : other).append(appends) { _ = try result.get() }
        }
      }
      try await group.waitForAll()
    }
    for lease in leases { #expect(try await under.ledger.extent(of: lease.stream).last == 100) }
  }
}
