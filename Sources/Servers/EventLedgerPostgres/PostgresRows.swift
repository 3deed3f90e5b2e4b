package import EventLedger
import Foundation

/// Tables in PostgreSQL. Transactions that write are serializable, and are made again where they met another's.
package final class PostgresRows: RowDatabase {
  private let pool: PostgresPool
  private let news: LedgerNews

  /// Times that a transaction is made before its caller has to try later.
  private static let attempts = 20

  init(_ pool: PostgresPool, news: LedgerNews) {
    self.pool = pool
    self.news = news
  }

  /// Brings tables up to a version's schema. Throws ``LedgerError`` for a database of a later version.
  ///
  /// - Parameter record: the table of the steps that were applied.
  package func migrate(_ migrations: [PostgresMigration], record: String) async throws {
    try await pool.use { try PostgresMigration.apply(migrations, record: record, $0) }
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any RowAccess) throws -> Value
  ) async throws -> Value {
    try await pool.use { try body(PostgresAccess($0)) }
  }

  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (any RowAccess) throws -> Value
  ) async throws -> Value {
    let (value, topics) = try await pool.use { connection in
      var attempt = 1
      while true {
        do { return try Self.transact(connection, body) } catch let error as LedgerError
          where (error.cause as? PostgresRefusal)?.isConflict == true && !connection.isBroken && attempt < Self.attempts
        {
          // At random, or the two that met would meet again.
          Thread.sleep(forTimeInterval: .random(in: 0...0.002) * Double(attempt))
          attempt += 1
        }
      }
    }
    // The listener hears them too, unless it has no connection just now.
    for topic in topics { news.post(.signalled(topic: topic)) }
    return value
  }

  private static func transact<Value>(
    _ connection: PostgresConnection, _ body: (any RowAccess) throws -> Value
  ) throws -> (Value, [String]) {
    do {
      try connection.execute("BEGIN ISOLATION LEVEL SERIALIZABLE")
      let access = PostgresAccess(connection)
      let value = try body(access)
      try connection.execute("COMMIT")
      return (value, access.topics)
    } catch {
      if !connection.isBroken { try connection.execute("ROLLBACK") }
      throw error
    }
  }
}

/// Statements on a connection.
private final class PostgresAccess: RowAccess {
  private let connection: PostgresConnection
  private(set) var topics: [String] = []

  init(_ connection: PostgresConnection) { self.connection = connection }

  func run(_ sql: String, _ values: [RowValue]) throws -> [TableRow] {
    // `$1`, `$2` in the place of each `?`.
    let pieces = sql.split(separator: "?", omittingEmptySubsequences: false)
    var numbered = String(pieces.first ?? "")
    for (number, piece) in pieces.dropFirst().enumerated() { numbered += "$\(number + 1)" + piece }
    return try connection.run([PostgresStatement(numbered, values.map(PostgresValue.init))])
      .flatMap { $0.map(\.asTableRow) }
  }

  func signal(_ topic: String) throws {
    topics.append(topic)
    _ = try run("SELECT pg_notify('ledger', ?)", [.text("s0 \(topic)")])
  }
}
