import Glibc

/// An open file, closed with its owner. Reads and writes block, which local files do for microseconds.
final class OpenFile: Sendable {
  let descriptor: Int32
  private let path: String

  /// A new file, or an old one emptied, for everybody to read; a link in its place is not followed.
  init(writing path: String) throws(EndpointFailure) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw Self.failure(path, "written") }
  }

  /// Takes the descriptor over.
  init(_ descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  func write(_ bytes: [UInt8]) throws(EndpointFailure) {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + offset }, $0.count - offset)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(path, "written") }
      offset += count
    }
  }

  /// Up to `limit` bytes; none at the end.
  func read(upTo limit: Int) throws(EndpointFailure) -> [UInt8] {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
      repeat { count = Glibc.read(descriptor, buffer.baseAddress, limit) } while count < 0 && errno == EINTR
      initialized = max(0, count)
    }
    guard count >= 0 else { throw Self.failure(path, "read") }
    return bytes
  }

  private static func failure(_ path: String, _ verb: String) -> EndpointFailure {
    EndpointFailure("\(path) cannot be \(verb): \(String(cString: strerror(errno))).")
  }
}
