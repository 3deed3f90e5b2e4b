import Glibc
import ResolveKitCore
package import StreamTransport
import Synchronization

/// The audit log: JSON lines in a file for its owner alone, to which lines are only ever added.
///
/// A full file becomes `PATH.1`, and so on; the oldest goes.
package final class AuditLog: Sendable {
  /// Bytes of a file, and how many full ones are kept beside the one that is written.
  package struct Size: Hashable, Sendable {
    package var fileBytes = 4 << 20
    package var fullFiles = 3

    package init() {}
  }

  private struct Writing: Sendable {
    var descriptor: Int32?
    var bytes = 0
    /// Whether the last line was cut off in its middle, by a crash or a full disk.
    var isTorn = false
  }

  private static let lineEnd = UInt8(ascii: "\n")

  private let path: String
  private let size: Size
  private let disk: Disk
  private let writing = Mutex(Writing())

  /// The file is made with the first line; its folder has to be there.
  package init(path: String, size: Size = Size(), disk: Disk = .system) {
    self.path = path
    self.size = size
    self.disk = disk
  }

  deinit { writing.withLock { $0.descriptor.map { _ = close($0) } } }

  /// Adds a line; on return it is on the disk. Throws ``StoreError``.
  package func append(_ entry: AuditEntry) throws(StoreError) {
    let line = entry.json.serialized() + [Self.lineEnd]
    try writing.withLock { writing throws(StoreError) in
      var descriptor = try open(&writing)
      if writing.bytes > 0, writing.bytes + line.count > size.fileBytes {
        try rotate(&writing)
        descriptor = try open(&writing)
      }
      let bytes = (writing.isTorn ? [Self.lineEnd] : []) + line
      do throws(PrivateFile.Failure) {
        writing.isTorn = true
        try PrivateFile.append(bytes, to: descriptor, disk: disk)
        writing.isTorn = false
        writing.bytes += bytes.count
        try PrivateFile.synchronize(descriptor, disk: disk)
      } catch {
        throw StoreError(.inaccessible, "'\(path)' cannot be written: \(error.description).", cause: error)
      }
    }
  }

  /// The newest lines, the newest first; those that cannot be read are left out. Throws ``StoreError``.
  package func last(_ count: Int) throws(StoreError) -> [AuditEntry] {
    var entries: [AuditEntry] = []
    var last: LineTail.Identity?
    for file in [path] + names where entries.count < count {
      guard let tail = try LineTail(file) else { continue }
      defer { tail.close() }
      // The file that was read before has been renamed meanwhile.
      guard tail.identity != last else { continue }
      last = tail.identity
      while entries.count < count, let line = try tail.previous() {
        guard let value = try? JSONValue(parsing: line), let fields = try? ControlFields(value, of: "A line"),
          let entry = try? AuditEntry(fields)
        else { continue }
        entries.append(entry)
      }
    }
    return entries
  }

  /// The full files, the newest first.
  private var names: [String] { (1...max(1, size.fullFiles)).map { "\(path).\($0)" } }

  private func open(_ writing: inout Writing) throws(StoreError) -> Int32 {
    if let descriptor = writing.descriptor { return descriptor }
    let descriptor = Glibc.open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw failure("opened") }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    else {
      close(descriptor)
      throw StoreError(
        .notPrivate, "'\(path)' is no file of your own that is closed to others; chmod 600 '\(path)', or move it away.")
    }
    var end: UInt8 = Self.lineEnd
    if status.st_size > 0, pread(descriptor, &end, 1, status.st_size - 1) != 1 { end = 0 }
    writing = Writing(descriptor: descriptor, bytes: Int(status.st_size), isTorn: end != Self.lineEnd)
    return descriptor
  }

  private func rotate(_ writing: inout Writing) throws(StoreError) {
    let all = [path] + names
    for (older, newer) in zip(all.dropFirst(), all).reversed() {
      guard rename(newer, older) == 0 || errno == ENOENT else { throw failure("renamed") }
    }
    writing.descriptor.map { _ = close($0) }
    writing = Writing()
  }

  private func failure(_ what: String) -> StoreError {
    StoreError(.inaccessible, "'\(path)' cannot be \(what): \(String(cString: strerror(errno))).")
  }
}
