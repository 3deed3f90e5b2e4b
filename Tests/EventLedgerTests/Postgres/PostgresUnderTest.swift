import EventLedger
import EventLedgerPostgres
import TestSupport

/// A ledger in a PostgreSQL database of its own, whose time stands in a table.
final class PostgresUnderTest: LedgerUnderTest {
  let url: String
  let ledger: any EventLedger
  private let cluster: PostgresCluster

  static func make(_ limits: PostgresLimits = PostgresLimits()) async throws -> PostgresUnderTest {
    let cluster = try PostgresCluster.get()
    let url = try cluster.makeDatabase()
    let ledger = try await PostgresEventLedger.open(url, limits: limits)
    try cluster.run(
      """
      CREATE TABLE test_time (now bigint); INSERT INTO test_time VALUES (0);
      CREATE OR REPLACE FUNCTION ledger_now() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT now FROM test_time';
      """, in: url)
    return PostgresUnderTest(cluster, url, ledger)
  }

  private init(_ cluster: PostgresCluster, _ url: String, _ ledger: any EventLedger) {
    self.cluster = cluster
    self.url = url
    self.ledger = ledger
  }

  func advance(by duration: Duration) throws {
    let span = (WallTime(microseconds: 0) + duration).microseconds
    try run("UPDATE test_time SET now = now + \(span)")
  }

  func another() async throws -> any EventLedger { try await PostgresEventLedger.open(url) }

  func storedRows() throws -> Int {
    Int(try run("SELECT (SELECT count(*) FROM ledger_events) + (SELECT count(*) FROM ledger_keys)")) ?? -1
  }

  /// Runs SQL beside the ledger.
  @discardableResult
  func run(_ sql: String) throws -> String { try cluster.run(sql, in: url) }
}
