import Glibc

/// A rollout file that is open for reading.
final class RolloutFile: Sendable {
  /// The identity of a file, whatever its name.
  struct Identity: Hashable, Sendable {
    var device: UInt
    var number: UInt
  }

  let name: RolloutName
  let identity: Identity
  private let descriptor: Int32

  /// Takes the descriptor of an open file, and closes it whatever happens. Throws ``HistoryError`` where it is none of a
  /// regular file.
  init(_ name: RolloutName, takingDescriptor descriptor: Int32) throws(HistoryError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw HistoryError(.unreadable, "The rollout of \(name.segmentID) is no regular file.")
    }
    self.name = name
    self.descriptor = descriptor
    identity = Identity(device: UInt(status.st_dev), number: UInt(status.st_ino))
  }

  deinit { close(descriptor) }

  /// The bytes that are there now.
  func size() throws(HistoryError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
    return Int(status.st_size)
  }

  /// Up to `count` bytes from an offset on; fewer, or none, at the end.
  func read(at offset: Int, count: Int) throws(HistoryError) -> [UInt8] {
    var number: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, size in
      var result = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      while result < 0, errno == EINTR { result = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
      if result < 0 { number = errno }
      size = max(result, 0)
    }
    guard number == 0 else { throw failure(number) }
    return bytes
  }

  private func failure(_ number: Int32) -> HistoryError {
    HistoryError(.unreadable, "The rollout of \(name.segmentID) cannot be read: \(String(cString: strerror(number))).")
  }
}
