import ArgumentParser
import EventLedger
import EventLedgerPostgres
import Foundation
import StreamTransport

/// The database of workers, events and accounts.
struct DatabaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "An SQLite file, ':memory:', or postgres://user@host/database. Default: workers.sqlite in the state folder.",
      valueName: "file or url"))
  var database: String?

  func open() async throws -> any EventLedger {
    guard let database else {
      let folder = try StateFolder(environment: ProcessInfo.processInfo.environment).make()
      return try SQLiteEventLedger.open(path: folder + "/workers.sqlite")
    }
    if database == ":memory:" { return try SQLiteEventLedger.open(path: nil) }
    guard ["postgres://", "postgresql://"].contains(where: database.hasPrefix) else {
      return try SQLiteEventLedger.open(path: database)
    }
    return try await PostgresEventLedger.open(database)
  }
}
