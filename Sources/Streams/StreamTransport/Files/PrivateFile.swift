import CLinux
import Glibc

/// Files that only their owner may read, written so that a reader sees the old bytes or the new ones, never a part.
package enum PrivateFile {
  /// A system call that failed, in words.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
    package let number: Int32

    package init(_ what: String, _ number: Int32) {
      self.number = number
      description = "\(what): \(String(cString: strerror(number)))"
    }
  }

  /// Makes `path` and the directories above it; the last one is closed to others even if it was there before.
  package static func makeDirectory(_ path: String) throws(Failure) {
    var end = path.startIndex
    while end < path.endIndex {
      end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
      let part = String(path[..<end])
      guard mkdir(part, 0o700) == 0 || errno == EEXIST || isDirectory(part) else {
        throw Failure("\(part) cannot be made", errno)
      }
    }
    guard isDirectory(path) else { throw Failure("\(path) is no directory", ENOTDIR) }
    guard chmod(path, 0o700) == 0 else { throw Failure("\(path) cannot be closed to others", errno) }
  }

  /// Writes `bytes` beside `path`, brings them to disk and renames: POSIX makes the rename atomic.
  ///
  /// - Parameter isDurable: false for what may be lost with the power, such as a cache.
  package static func write(
    _ bytes: [UInt8], to path: String, isDurable: Bool = true, disk: Disk = .system
  ) throws(Failure) {
    // No two are alike, also of processes with the same number in containers that share a volume; so the random number is
    // always the system's, as those of one seed would be alike.
    let draft = "\(path).\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 16)).new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure("\(draft) cannot be made", errno) }
    var failure: Int32 = 0
    do {
      try append(bytes, to: descriptor, disk: disk)
      if isDurable { try synchronize(descriptor, disk: disk) }
    } catch {
      failure = error.number
    }
    close(descriptor)
    guard failure == 0, rename(draft, path) == 0 else {
      let number = failure == 0 ? errno : failure
      unlink(draft)
      throw Failure("\(path) cannot be written", number)
    }
    if isDurable { try synchronizeFolder(of: path, disk: disk) }
  }

  /// A new name is on the disk only once its folder is.
  private static func synchronizeFolder(of path: String, disk: Disk) throws(Failure) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw Failure("\(folder) cannot be opened", errno) }
    defer { close(directory) }
    do {
      try synchronize(directory, disk: disk)
    } catch {
      // Some network file systems have no such call for a folder; there is nothing more to be done on them.
      guard error.number == EINVAL || error.number == ENOTSUP else { throw error }
    }
  }

  /// Returns once all of a file is on the disk.
  package static func synchronize(_ descriptor: Int32, disk: Disk = .system) throws(Failure) {
    while disk.synchronize(descriptor) != 0 {
      guard errno == EINTR else { throw Failure("a file cannot be brought to disk", errno) }
    }
  }

  /// The bytes of a file; one larger than `limit` is refused.
  package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
    // Without O_NONBLOCK opening a pipe would wait for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure("\(path) cannot be opened", errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = part.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure("\(path) cannot be read", errno) }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= limit else { throw Failure("\(path) is larger than \(limit) bytes", EFBIG) }
      bytes += part[..<count]
    }
  }

  /// Runs `body` while no other process holds the lock file at `path`.
  package static func withLock<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure("\(path) cannot be opened", errno) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw Failure("\(path) cannot be locked", errno) }
    }
    // A process that is being started has a copy of the descriptor until its program runs, and would keep the lock.
    defer { flock(descriptor, LOCK_UN) }
    return try body()
  }

  /// Writes all of `bytes` where the file is.
  package static func append(_ bytes: [UInt8], to descriptor: Int32, disk: Disk = .system) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { disk.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[done...])) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure("a file cannot be written", errno) }
      done += count
    }
  }

  /// Whether a path still names an open file.
  package static func isName(_ path: String, of descriptor: Int32) -> Bool { clinux_is_name(path, descriptor) }

  package static func isDirectory(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }
}
