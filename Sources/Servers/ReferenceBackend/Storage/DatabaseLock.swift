import Glibc
import Synchronization

/// Keeps a second backend off a database: at its start it would end the first one's turns as interrupted.
///
/// The kernel drops the lock with the process, however that ends.
final class DatabaseLock: Sendable {
  private let descriptor: Mutex<Int32>

  /// Makes the database's file for its owner alone, so that SQLite's own files beside it are that too, and locks a file
  /// beside it. Throws ``BackendError``.
  init(path: String) throws(BackendError) {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC
    let file = open(path, flags, 0o600)
    guard file >= 0 else { throw Self.failure(path, "cannot be made") }
    Glibc.close(file)
    let lock = open("\(path).lock", flags, 0o600)
    guard lock >= 0 else { throw Self.failure("\(path).lock", "cannot be made") }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      Glibc.close(lock)
      throw BackendError(
        .database, "The database '\(path)' is in use by another backend; stop it or give another --database.")
    }
    descriptor = Mutex(lock)
  }

  func release() {
    let descriptor = descriptor.withLock { descriptor in
      defer { descriptor = -1 }
      return descriptor
    }
    guard descriptor >= 0 else { return }
    // A process that is being started has a copy of the descriptor until its program runs, and would keep the lock.
    flock(descriptor, LOCK_UN)
    Glibc.close(descriptor)
  }

  deinit { release() }

  private static func failure(_ path: String, _ what: String) -> BackendError {
    let reason = String(cString: strerror(errno))
    return BackendError(.database, "'\(path)' \(what): \(reason). Does its folder exist, and is it writable?")
  }
}
