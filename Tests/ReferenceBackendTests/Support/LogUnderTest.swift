import EventLedger
import EventLedgerPostgres
import Foundation
import ReferenceBackend
import Synchronization
import TestSupport

/// A log whose sessions' streams are all leased to the test.
final class LogUnderTest: Sendable {
  /// The storage of a log.
  enum Kind: CaseIterable, Sendable {
    case memory
    case postgres

    /// PostgreSQL only where it is installed; in CI it has to be.
    static var allCases: [Kind] { PostgresCluster.isExpected ? [.memory, .postgres] : [.memory] }
  }

  let log: SessionLog
  let start: WallTime
  let ledger: any EventLedger
  private let move: @Sendable (Duration) async throws -> Void
  private let leases = Mutex<[String: LedgerLease]>([:])
  private let appends = Mutex(0)

  static func make(_ kind: Kind) async throws -> LogUnderTest {
    switch kind {
    case .memory: return try LogUnderTest(try BackendDatabase(path: nil))
    case .postgres:
      let cluster = try PostgresCluster.get()
      let url = try cluster.makeDatabase()
      let ledger = try await PostgresEventLedger.open(url)
      try cluster.run(
        """
        CREATE TABLE test_time (now bigint); INSERT INTO test_time VALUES (0);
        CREATE OR REPLACE FUNCTION ledger_now() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT now FROM test_time';
        """, in: url)
      return LogUnderTest(ledger, start: WallTime(microseconds: 0)) { span in
        let microseconds = (WallTime(microseconds: 0) + span).microseconds
        try cluster.run("UPDATE test_time SET now = now + \(microseconds)", in: url)
      }
    }
  }

  convenience init(_ database: BackendDatabase) throws {
    let time = SetTime()
    self.init(try SQLiteEventLedger(migrated: database.writer, now: { time.now }), start: time.now) {
      time.advance(by: $0)
    }
  }

  private init(
    _ ledger: any EventLedger, start: WallTime, move: @escaping @Sendable (Duration) async throws -> Void
  ) {
    log = SessionLog(ledger)
    self.ledger = ledger
    self.start = start
    self.move = move
  }

  func advance(by span: Duration) async throws { try await move(span) }

  /// Returns the last event's id.
  @discardableResult
  func append(
    _ payloads: [EventPayload], session: String = "s", turn: String = "t", key: String? = nil
  ) async throws -> EventID? {
    let stream = SessionLog.stream(of: session)
    var lease = leases.withLock { $0[stream] }
    if lease == nil {
      lease = try await ledger.lease(stream, to: "test", for: .seconds(1_000))
      leases.withLock { [lease] in $0[stream] = lease }
    }
    guard let lease else { return nil }
    let number = appends.withLock { appends in
      appends += 1
      return appends
    }
    return try await log.append(
      payloads.map { EventEntry($0) }, turnID: turn, requestID: "r", base: .beginning, under: lease,
      key: key ?? "append \(number)")
  }
}
