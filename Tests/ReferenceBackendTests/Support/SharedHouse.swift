import EventLedger
import EventLedgerPostgres
import Foundation
import ReferenceBackend
import TestSupport

/// Several backends on one PostgreSQL database.
struct SharedHouse {
  /// One of them, and its connections.
  struct Member {
    let harness: Harness
    let ledger: PostgresEventLedger

    /// Takes the database from under it, as if its process were gone; nothing that it does counts any more.
    func vanish() { ledger.close() }

    /// The session as a client of this backend has it.
    func continuing(_ session: TestSession) -> TestSession {
      TestSession(harness: harness, id: session.id, token: session.token, isReused: true)
    }
  }

  static let lease = Duration.milliseconds(1_500)

  private let cluster: PostgresCluster
  let url: String

  static var isPossible: Bool { PostgresCluster.isExpected }

  /// - Parameter server: a server of its own; nil for the one that tests share.
  init(server: PostgresCluster? = nil) throws {
    cluster = try server ?? PostgresCluster.get()
    url = try cluster.makeDatabase()
  }

  func member(
    _ model: any ModelAdapter, lease: Duration = Self.lease, limits: PostgresLimits = PostgresLimits(),
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> Member {
    let ledger = try await PostgresEventLedger.open(url, limits: limits, clock: clock)
    try await ledger.rows.migrate(
      SharedSchema.steps.map { PostgresMigration($0.name, $0.sql) }, record: "backend_migrations")
    let shared = SharedDatabase(ledger: ledger, rows: ledger.rows) { ledger.close() }
    let harness = try await Harness(
      sharing: shared.storage, model: model, settings: BackendSettings(turnLease: lease))
    return Member(harness: harness, ledger: ledger)
  }

  /// Runs SQL beside them.
  @discardableResult
  func run(_ sql: String) throws -> String { try cluster.run(sql, in: url) }
}
