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

  /// The copy gets its name once all of it is on the disk. What was begun and failed is removed.
  static func write(_ database: any DatabaseReader, to path: String) async throws {
    guard access(path, F_OK) != 0 else { throw exists(path) }
    let partial = path + ".partial"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw LedgerError(
        .invalid,
        errno == EEXIST
          ? "'\(partial)' exists: another backup is being written, or one was broken off; remove the file then."
          : "'\(partial)' cannot be made: \(reason).")
    }
    close(descriptor)
    do {
      let copy = try DatabaseQueue(path: partial)
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
      try sync(partial)
      try name(partial, path)
      try sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    } catch {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(partial + suffix) }
      throw error
    }
  }

  private static func sync(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0, fsync(descriptor) == 0 else {
      throw LedgerError(.database, "'\(path)' cannot be written to the disk: \(reason).")
    }
  }

  /// Gives a file its name, unless another has that by now.
  private static func name(_ partial: String, _ path: String) throws {
    if link(partial, path) == 0 {
      unlink(partial)
      return
    }
    if errno == EEXIST { throw exists(path) }
    // A file system without links.
    guard access(path, F_OK) != 0 else { throw exists(path) }
    guard rename(partial, path) == 0 else {
      throw LedgerError(.invalid, "'\(partial)' cannot be renamed to '\(path)': \(reason).")
    }
  }

  private static func exists(_ path: String) -> LedgerError {
    LedgerError(.invalid, "'\(path)' exists; a backup is written to a new file.")
  }

  private static var reason: String { String(cString: strerror(errno)) }
}
