import Glibc
import ResolveKitCore
import StreamTransport

/// The file of one session's journal: locked, appended to, brought to disk, replaced as a whole.
///
/// The lock is on a file beside it, since the journal itself is replaced by compaction. The kernel drops the lock with
/// the process, however that ends.
struct JournalFile: ~Copyable {
  let path: String
  private var lock: Int32
  private var descriptor: Int32
  private let disk: Disk

  /// Opens or makes the file and takes the lock. Throws ``JournalError``; with `inUse` where another holds the lock.
  init(path: String, disk: Disk = .system) throws(JournalError) {
    let lock = try Self.lock("\(path).lock")
    let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let number = errno
      Glibc.close(lock)
      throw Self.failure(path, "cannot be opened", number)
    }
    self.path = path
    self.lock = lock
    self.descriptor = descriptor
    self.disk = disk
  }

  deinit {
    Glibc.close(descriptor)
    Glibc.close(lock)
  }

  /// Gives up the file and its lock; what is asked of it later fails.
  mutating func close() {
    Glibc.close(descriptor)
    // A process that is being started has a copy of the descriptor until its program runs, and would keep the lock.
    flock(lock, LOCK_UN)
    Glibc.close(lock)
    descriptor = -1
    lock = -1
  }

  private static func lock(_ path: String) throws(JournalError) -> Int32 {
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw failure(path, "cannot be made", errno) }
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        if errno == EINTR { continue }
        let number = errno
        Glibc.close(descriptor)
        guard number == EWOULDBLOCK else { throw failure(path, "cannot be locked", number) }
        throw JournalError(
          .inUse, "The session is in use by another process. End that one, or start another session.",
          errorNumber: number)
      }
      if PrivateFile.isName(path, of: descriptor) { return descriptor }
      // Its holder removed the session in between: this lock is of a file that nobody finds any more.
      Glibc.close(descriptor)
    }
  }

  /// Removes the journal and its lock, which is held to the end, so that nobody begins a journal in between.
  consuming func remove() throws(JournalError) {
    for name in [path, "\(path).lock"] {
      guard unlink(name) == 0 || errno == ENOENT else { throw Self.failure(name, "cannot be removed", errno) }
    }
  }

  /// Whether a process holds the lock of the journal at `path`.
  static func isLocked(_ path: String) -> Bool {
    let descriptor = open("\(path).lock", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  func readAll() throws(JournalError) -> [UInt8] {
    try Self.readAll(path)
  }

  /// The bytes of a journal, which need not be locked.
  static func readAll(_ path: String) throws(JournalError) -> [UInt8] {
    do {
      return try PrivateFile.read(path, limit: maximumSize)
    } catch {
      throw JournalError(
        error.number == ENOENT ? .notFound : .inputOutput, "\(error.description). Give another folder.",
        errorNumber: error.number)
    }
  }

  /// More than compaction ever leaves.
  private static let maximumSize = 256 << 20

  func append(_ bytes: [UInt8]) throws(JournalError) {
    do {
      try PrivateFile.append(bytes, to: descriptor, disk: disk)
    } catch {
      throw Self.failure(path, "cannot be written", error.number)
    }
  }

  /// Returns once all that was appended is on the disk.
  func synchronize() throws(JournalError) {
    do {
      try PrivateFile.synchronize(descriptor, disk: disk)
    } catch {
      throw Self.failure(path, "cannot be brought to disk", error.number)
    }
  }

  /// Cuts off what a crash or a full disk left of records.
  func truncate(to size: Int) throws(JournalError) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw Self.failure(path, "cannot be cut", errno) }
    try synchronize()
  }

  /// Puts `bytes` in the place of all that is there, atomically and durably.
  mutating func replace(with bytes: [UInt8]) throws(JournalError) {
    do {
      try PrivateFile.write(bytes, to: path, disk: disk)
    } catch {
      throw Self.failure(path, "cannot be replaced", error.number)
    }
    let new = open(path, O_RDWR | O_APPEND | O_CLOEXEC)
    guard new >= 0 else { throw Self.failure(path, "cannot be opened", errno) }
    Glibc.close(descriptor)
    descriptor = new
  }

  static func failure(_ path: String, _ what: String, _ number: Int32) -> JournalError {
    let remedy = number == ENOSPC || number == EDQUOT ? "Make room on the disk." : "Is its folder there and writable?"
    return JournalError(
      .inputOutput, "'\(path)' \(what): \(String(cString: strerror(number))). \(remedy)", errorNumber: number)
  }
}
