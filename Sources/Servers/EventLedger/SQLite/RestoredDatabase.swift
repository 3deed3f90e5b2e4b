import GRDB
import Glibc

/// A database's file that a backup was put in the place of.
package enum RestoredDatabase {
  /// The `application_id` of a backup that nobody has opened, "copy" in ASCII (sqlite.org/fileformat.html#application_id).
  static let mark: UInt32 = 0x636f_7079

  /// Makes such a file a database of its own, to be called before it is opened; does nothing to others. Throws ``LedgerError``.
  ///
  /// A log that is left beside it belongs to the database that was there before, and SQLite would apply it: what was said
  /// after the backup would come back, or be mixed with it.
  package static func settle(_ path: String) throws {
    let file = Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    guard isMarked(file) else { return }
    // Another process that opens it does the same, and one of them finds it done.
    while flock(file, LOCK_EX) != 0 {
      guard errno == EINTR else {
        throw LedgerError(.database, "'\(path)' cannot be locked: \(String(cString: strerror(errno))).")
      }
    }
    guard isMarked(file) else { return }
    do {
      for suffix in ["-wal", "-shm"] { try remove(path + suffix) }
      let database = try DatabaseQueue(path: path)
      try database.writeWithoutTransaction { database in
        // Before anything is written that may not be lost: as long as the mark is in the file, its log is thrown away.
        try database.inTransaction {
          try LedgerIdentity.renewWhereCopied(database)
          // Also where a program that knows no marks has opened it, and renewed the identity.
          try database.execute(sql: "PRAGMA application_id = 0")
          return .commit
        }
        _ = try database.checkpoint(.truncate)
      }
      try database.close()
    } catch let error as DatabaseError {
      throw LedgerError(error)
    }
  }

  private static func remove(_ path: String) throws {
    guard unlink(path) != 0, errno != ENOENT else { return }
    throw LedgerError(
      .database,
      "'\(path)' is left of another database than the backup beside it, and cannot be removed: "
        + "\(String(cString: strerror(errno))).")
  }

  private static func isMarked(_ file: Int32) -> Bool {
    var header = [UInt8](repeating: 0, count: 72)
    guard pread(file, &header, header.count, 0) == header.count, header.starts(with: "SQLite format 3\0".utf8) else {
      return false
    }
    return header[68...].reduce(0) { $0 << 8 | UInt32($1) } == mark
  }
}
