import EventLedger
import EventLedgerPostgres
import Foundation
import GRDB

/// A ledger that is measured, and what it stands on.
struct LedgerSubject {
  let name: String
  let ledger: any EventLedger
  /// Inserts a row in a transaction of its own, without a ledger; nil where that is measured with other tools.
  let insert: (@Sendable ([UInt8]) async throws -> Void)?

  /// Opens the database at an address: a PostgreSQL URL, or else a SQLite file's path.
  static func open(_ address: String) async throws -> LedgerSubject {
    if address.hasPrefix("postgres") {
      return LedgerSubject(name: "PostgreSQL", ledger: try await PostgresEventLedger.open(address), insert: nil)
    }
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    let pool = try DatabasePool(path: address, configuration: configuration)
    let ledger = try SQLiteEventLedger(pool)
    try await pool.write {
      try $0.execute(sql: "CREATE TABLE IF NOT EXISTS plain (id INTEGER PRIMARY KEY, payload BLOB NOT NULL)")
    }
    return LedgerSubject(name: "SQLite", ledger: ledger) { payload in
      try await pool.write {
        try $0.execute(sql: "INSERT INTO plain (payload) VALUES (?)", arguments: [Data(payload)])
      }
    }
  }
}
