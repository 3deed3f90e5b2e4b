import Glibc

/// The place of a control socket in the file system, held by one process at a time.
///
/// A lock beside the socket distinguishes a live companion from one that was killed: the kernel frees it with the
/// process. The folder is closed to others, so that nobody else reaches the socket in the moment before it is closed to them
/// too.
final class ControlSocketFile: Sendable {
  /// The longest path, with the NUL behind it (unix(7)).
  private static let maximumPath = 107

  private let path: String
  private let lock: Int32

  /// Takes the place, and removes the socket that a killed companion left there. Throws ``ControlError``.
  init(claiming path: String) throws(ControlError) {
    try Self.check(path)
    try Self.checkFolder(of: path)
    let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw Self.failure("'\(path).lock' cannot be opened", errno) }
    do throws(ControlError) {
      guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
        guard errno == EWOULDBLOCK else { throw Self.failure("'\(path).lock' cannot be locked", errno) }
        throw ControlError(
          .alreadyRunning,
          "Another companion is running with '\(path)'; stop it, or give this one another state folder.")
      }
      try Self.removeStale(path)
    } catch {
      close(lock)
      throw error
    }
    self.path = path
    self.lock = lock
  }

  deinit {
    // A process that is being started has a copy of the descriptor until its program runs, and would keep the lock.
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// Closes the new socket to other users.
  func restrict() throws(ControlError) {
    guard chmod(path, 0o600) == 0 else { throw Self.failure("'\(path)' cannot be closed to other users", errno) }
  }

  /// Removes the socket. The lock stays until the object goes.
  func remove() { unlink(path) }

  /// Throws ``ControlError`` where no socket can have this path.
  static func check(_ path: String) throws(ControlError) {
    guard path.hasPrefix("/"), !path.utf8.contains(0), path.utf8.count <= maximumPath else {
      throw ControlError(
        .path,
        "A socket cannot be at '\(path)': its path begins with '/' and has at most \(maximumPath) bytes; choose a shorter "
          + "state folder.")
    }
  }

  private static func checkFolder(of path: String) throws(ControlError) {
    let folder = String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
    var status = stat()
    guard stat(folder, &status) == 0 else { throw failure("'\(folder)' cannot be used", errno) }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw ControlError(
        .path, "'\(folder)' has to be a folder of your own that is closed to others; chmod 700 '\(folder)'.")
    }
  }

  private static func removeStale(_ path: String) throws(ControlError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno == ENOENT else { throw failure("'\(path)' cannot be used", errno) }
      return
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw ControlError(.path, "'\(path)' is no socket; move it away.")
    }
    guard unlink(path) == 0 else { throw failure("The old socket '\(path)' cannot be removed", errno) }
  }

  private static func failure(_ what: String, _ number: Int32) -> ControlError {
    ControlError(.path, "\(what): \(String(cString: strerror(number))).")
  }
}
