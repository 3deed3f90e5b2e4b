import Foundation
import GRDB
import Glibc

/// A copy of a database with a ledger, as of one moment, in a file that its owner alone may read.
package enum LedgerBackup {
  /// Copies a database that another process may have open, and which it neither waits for nor holds up. Throws ``LedgerError``.
  package static func write(databaseAt path: String, to copy: String) async throws {
    var configuration = Configuration()
    configuration.label = "backup"
    configuration.readonly = true
    do {
      let database = try DatabaseQueue(path: path, configuration: configuration)
      try await write(database, to: copy)
      try database.close()
    } catch let error as DatabaseError {
      throw LedgerError(
        .database,
        "'\(path)' cannot be copied: \(error). Is it a database of this program's, of this version or an earlier one that was "
          + "opened with this one?", cause: error)
    }
  }

  /// What was begun and failed is removed.
  static func write(_ database: any DatabaseReader, to path: String) async throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw LedgerError(
        .invalid,
        errno == EEXIST
          ? "'\(path)' exists; a backup is written to a new file."
          : "'\(path)' cannot be made: \(String(cString: strerror(errno))).")
    }
    close(descriptor)
    do {
      let copy = try DatabaseQueue(path: path)
      // In one read transaction: with a write-ahead log, it neither waits for appends nor holds them up.
      try await Task {
        try await database.read { from in
          try copy.writeWithoutTransaction { to in
            try from.backup(to: to)
            try LedgerIdentity.markCopied(to)
          }
        }
      }.value
      try copy.close()
    } catch {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
      throw error
    }
  }
}
