import GRDB

extension SQLiteEventLedger {
  /// A ledger in a file of its own, made where missing; nil keeps it in memory. Every commit survives a crash and a loss
  /// of power. Throws ``LedgerError``.
  package static func open(path: String?) throws -> SQLiteEventLedger {
    var configuration = Configuration()
    configuration.label = "event ledger"
    configuration.prepareDatabase { database in
      // In WAL mode NORMAL would lose the last commits with the power (sqlite.org/pragma.html#pragma_synchronous).
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
    do {
      if let path { try RestoredDatabase.settle(path) }
      // DatabasePool is what turns WAL on.
      let writer: any DatabaseWriter =
        if let path {
          try DatabasePool(path: path, configuration: configuration)
        } else {
          try DatabaseQueue(configuration: configuration)
        }
      return try SQLiteEventLedger(writer)
    } catch let error as LedgerError {
      throw error
    } catch {
      throw LedgerError(
        .database, "The ledger '\(path ?? "in memory")' cannot be opened: \(error). Is its folder writable?",
        cause: error)
    }
  }
}
