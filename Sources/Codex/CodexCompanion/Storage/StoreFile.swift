import Glibc
import ResolveKitCore
import StreamTransport

/// A JSON document on disk, for its owner alone, of which one process at a time is reader and writer.
///
/// It is replaced as a whole, so that a crash leaves the old one or the new one. A document that cannot be understood is
/// refused and stays where it is: what it allowed or forbade is not known, and must not be lost.
final class StoreFile: Sendable {
  /// Bytes of the largest document.
  static let maximumBytes = 4 << 20
  private static let version = 1

  private let path: String
  private let format: String
  private let disk: Disk
  private let lock: Int32

  /// Takes the file for this process until the object goes; the folder has to be there. Throws ``StoreError``.
  ///
  /// - Parameter format: the name of the document's format, which is written in it.
  init(claiming path: String, format: String, disk: Disk = .system) throws(StoreError) {
    let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw Self.failure("'\(path).lock' cannot be opened", errno) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let number = errno
      close(lock)
      guard number == EWOULDBLOCK else { throw Self.failure("'\(path).lock' cannot be locked", number) }
      throw StoreError(.inUse, "'\(path)' is in use by another companion; ask that one, or stop it.")
    }
    self.path = path
    self.format = format
    self.disk = disk
    self.lock = lock
  }

  deinit {
    // A process that is being started has a copy of the descriptor until its program runs, and would keep the lock.
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// The document's members, nil where there is none yet. Throws ``StoreError``.
  func read() throws(StoreError) -> JSONObject? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw Self.failure("'\(path)' cannot be read", errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw damaged("it is no file") }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw StoreError(
        .notPrivate,
        "'\(path)' is open to other users, who may have changed it. Look into it, then give it to yourself alone: "
          + "chmod 600 '\(path)'.")
    }
    let bytes: [UInt8]
    do {
      bytes = try PrivateFile.read(path, limit: Self.maximumBytes)
    } catch {
      throw StoreError(.inaccessible, "\(error.description).", cause: error)
    }
    let document: JSONValue
    do {
      document = try JSONValue(parsing: bytes)
    } catch {
      throw damaged("\(error)", cause: error)
    }
    guard let members = document.objectValue, members["format"]?.stringValue == format,
      let version = members["version"]?.integerValue, version > 0
    else { throw damaged("it names another format") }
    guard version <= Self.version else {
      throw StoreError(
        .newer, "'\(path)' was written by a later version of the companion; use that one, or move the file away.")
    }
    return members
  }

  /// Replaces the document; on return it is on the disk. Throws ``StoreError``.
  func write(_ members: JSONObject) throws(StoreError) {
    let head: JSONObject = ["format": .string(format), "version": .number(Double(Self.version))]
    let bytes = JSONValue.object(members.merging(head) { $1 }).serialized() + Array("\n".utf8)
    guard bytes.count <= Self.maximumBytes else {
      throw StoreError(
        .full, "'\(path)' would become larger than \(Self.maximumBytes) bytes; revoke what is not needed.")
    }
    do {
      try PrivateFile.write(bytes, to: path, disk: disk)
    } catch {
      throw StoreError(.inaccessible, "\(error.description).", cause: error)
    }
  }

  /// A sentence for a document that was read but says what it cannot say.
  func damaged(_ reason: String, cause: (any Error)? = nil) -> StoreError {
    StoreError(
      .damaged, "'\(path)' cannot be understood: \(reason). Restore it from a backup, or move it away to start anew.",
      cause: cause)
  }

  private static func failure(_ what: String, _ number: Int32) -> StoreError {
    StoreError(.inaccessible, "\(what): \(String(cString: strerror(number))).")
  }
}
