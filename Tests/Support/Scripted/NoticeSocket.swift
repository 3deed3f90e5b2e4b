import Glibc

/// A socket that takes the notices of services, as a service manager's does.
package final class NoticeSocket: Sendable {
  private let descriptor: CInt

  /// - Parameter address: a path, or an abstract name behind '@'.
  /// - Returns: nil where it cannot be bound.
  package init?(_ address: String) {
    // SOCK_DGRAM of Linux: which module has its enum depends on what else is built.
    let datagrams: CInt = 2
    descriptor = socket(AF_UNIX, datagrams, 0)
    var name: [UInt8] = [UInt8(AF_UNIX), 0] + Array(address.utf8)
    if address.hasPrefix("@") { name[2] = 0 } else { name.append(0) }
    let isBound = name.withUnsafeBytes { bytes in
      bytes.baseAddress.map {
        bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
      }
    }
    guard isBound == true else { return nil }
  }

  deinit { close(descriptor) }

  /// The next notice; nil where none comes within a minute.
  package func next() async -> String? {
    for _ in 0..<6_000 {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 10) > 0 else {
        // Who sends may need this thread.
        await Task.yield()
        continue
      }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }
    return nil
  }
}
