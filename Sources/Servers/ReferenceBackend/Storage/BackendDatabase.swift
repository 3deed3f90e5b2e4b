package import EventLedger
import Foundation
package import GRDB

/// The backend's SQLite database, durable at every commit: served by one process at a time.
package final class BackendDatabase: Sendable {
  package let writer: any DatabaseWriter
  /// Held for its life: the lock that keeps other backends out.
  private let lock: DatabaseLock?

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "agent-stream backend"
    // An operator's command may write beside the backend, a little at a time.
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { database in
      // In WAL mode NORMAL would lose the last commits with the power (sqlite.org/pragma.html#pragma_synchronous). What a
      // person said is not to be found in the file once it is deleted.
      try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
    }
    return configuration
  }

  /// Opens the database of a backend that may be running, to delete from it.
  ///
  /// Throws ``BackendError``.
  package init(besideBackendAt path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw BackendError(.database, "There is no database '\(path)'; give the backend's --database.")
    }
    do {
      lock = nil
      try RestoredDatabase.settle(path)
      writer = try DatabasePool(path: path, configuration: Self.configuration)
      try Schema.check(writer)
    } catch let error as BackendError {
      throw error
    } catch {
      throw BackendError(
        .database, "The database '\(path)' cannot be opened: \(error). Is its folder writable?", cause: error)
    }
  }

  /// - Parameter path: a file that is made where missing, or nil for a database in memory.
  ///
  /// Throws ``BackendError``.
  package init(path: String?) throws {
    do {
      if let path {
        lock = try DatabaseLock(path: path)
        try RestoredDatabase.settle(path)
        // DatabasePool is what turns WAL on.
        writer = try DatabasePool(path: path, configuration: Self.configuration)
      } else {
        lock = nil
        writer = try DatabaseQueue(configuration: Self.configuration)
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
    if let pool = writer as? DatabasePool {
      do { try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) } } catch let error as DatabaseError {
        // Another process has it open, and leaves it in order.
        guard error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED else { throw error }
      }
    }
    try writer.close()
    lock?.release()
  }
}
