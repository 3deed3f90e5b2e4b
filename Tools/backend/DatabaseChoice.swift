import ArgumentParser
import EventLedgerPostgres
import Foundation
import ReferenceBackend
import StreamTransport

/// The database that `--database` names.
enum DatabaseChoice {
  case memory
  case file(String)
  /// A PostgreSQL server's database, which several backends may share.
  case server(url: String)

  init(_ text: String?, state: StateFolder) throws {
    switch text {
    case nil: self = .file(try state.make() + "/backend.sqlite")
    case ":memory:": self = .memory
    case let url? where url.hasPrefix("postgres://") || url.hasPrefix("postgresql://"): self = .server(url: url)
    case let text? where text.contains("://"):
      throw ValidationError("--database is a file, ':memory:' or postgres://user@host/database; '\(text)' is none.")
    case let path?: self = .file(path)
    }
  }

  var path: String? {
    switch self {
    case .file(let path): path
    case .memory, .server: nil
    }
  }

  /// Opens a server's database, and makes the tables that are missing; nil for others.
  func openShared() async throws -> SharedDatabase? {
    guard case .server(let url) = self else { return nil }
    return try await Self.openServer(url)
  }

  static func openServer(_ url: String) async throws -> SharedDatabase {
    let ledger = try await PostgresEventLedger.open(url, limits: PostgresLimits(connections: 8))
    do {
      try await ledger.rows.migrate(
        SharedSchema.steps.map { PostgresMigration($0.name, $0.sql) }, record: "backend_migrations")
    } catch {
      ledger.close()
      throw error
    }
    return SharedDatabase(ledger: ledger, rows: ledger.rows) { ledger.close() }
  }
}
