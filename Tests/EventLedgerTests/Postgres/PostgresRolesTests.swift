import EventLedger
import EventLedgerPostgres
import StreamTransport
import TestSupport
import Testing

/// Servers that come and go in the place of another: one of several hosts, one that was demoted.
@Suite(
  .timeLimit(.minutes(10)), .enabled(if: PostgresCluster.isExpected, "PostgreSQL: Tools/setup --tests installs it"))
struct PostgresRolesTests {
  private func code(_ body: () async throws -> Void) async -> LedgerError.Code? {
    do {
      try await body()
      return nil
    } catch { return (error as? LedgerError)?.code }
  }

  /// The connection's server takes no writes any more; the next connection is another's.
  @Test func aDemotedServerIsLeft() async throws {
    let url = try PostgresCluster.get().makeDatabase()
    let ledger = try await PostgresEventLedger.open(url, limits: PostgresLimits(connections: 1))
    _ = try await ledger.rows.read { try $0.run("SET default_transaction_read_only = on", []) }
    #expect(
      await code { _ = try await ledger.lease("s", to: "one", for: .seconds(10)) }
        == .unavailable(mayHaveHappened: false))
    #expect(try await ledger.lease("s", to: "one", for: .seconds(10)).fence == 1)
    ledger.close()
  }

  @Test func aServerThatTakesNoWritesIsAsGoodAsNone() async throws {
    let cluster = try PostgresCluster.get()
    let url = try cluster.makeDatabase()
    try cluster.run(
      """
      DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$
      """, in: url)
    let error = await #expect(throws: LedgerError.self) { _ = try await PostgresEventLedger.open(url) }
    #expect(error?.code == .unavailable(mayHaveHappened: false))
    #expect(error?.message.contains("read-only") == true)
  }

  /// Each host has a time of its own.
  @Test func aSilentHostIsPassedOver() async throws {
    let silent = try BoundSocket(.tcp)
    try silent.listen(queue: 16)
    let cluster = try PostgresCluster.get()
    let database = try cluster.makeDatabase()
    let url = database.replacing(
      "host=\(cluster.folder)", with: "host=127.0.0.1,\(cluster.folder)&port=\(silent.port),5432")
    let ledger = try await PostgresEventLedger.open(
      url, limits: PostgresLimits(connections: 1, connectTimeout: .seconds(2)))
    #expect(try await ledger.lease("s", to: "one", for: .seconds(10)).fence == 1)
    ledger.close()
    withExtendedLifetime(silent) {}
  }
}
