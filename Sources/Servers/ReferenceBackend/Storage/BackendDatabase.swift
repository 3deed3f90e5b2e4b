package import EventLedger
package import GRDB

/// The backend's SQLite database: opened by one process at a time, durable at every commit.
package final class BackendDatabase: Sendable {
  package let writer: any DatabaseWriter
  /// Held for its life: the lock that keeps other backends out.
  private let lock: DatabaseLock?

  /// - Parameter path: a file that is made where missing, or nil for a database in memory.
  ///
  /// Throws ``BackendError``.
  package init(path: String?) throws {
    var configuration = Configuration()
    configuration.label = "agent-stream backend"
    configuration.prepareDatabase { database in
      // In WAL mode NORMAL would lose the last commits with the power (sqlite.org/pragma.html#pragma_synchronous).
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
    do {
      if let path {
        lock = try DatabaseLock(path: path)
        // DatabasePool is what turns WAL on.
        writer = try DatabasePool(path: path, configuration: configuration)
      } else {
        lock = nil
        writer = try DatabaseQueue(configuration: configuration)
      }
      try Schema.migrate(writer)
    } catch let error as BackendError {
      throw error
    } catch {
      throw BackendError(
        .database, "The database '\(path ?? "in memory")' cannot be opened: \(error). Is its folder writable?",
        cause: error)
    }
  }

  /// The stores that the backend's parts use.
  ///
  /// - Parameter now: the time that events are given.
  package func storage(now: @escaping @Sendable () -> WallTime = { .current }) throws -> BackendStorage {
    let ledger = try SQLiteEventLedger(migrated: writer, now: now)
    return BackendStorage(ledger: ledger, rows: ledger.rows, processName: nil) { try self.close() }
  }

  /// Ends all reading and writing; what was committed is in the file.
  package func close() throws {
    // One file holds everything then, and can be copied.
    if let pool = writer as? DatabasePool { try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) } }
    try writer.close()
    lock?.release()
  }
}
