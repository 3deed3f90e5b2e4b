import Glibc
import Testing

/// A port on which connections are made, by the kernel, and nobody ever answers.
final class SilentHost {
  private let descriptor: Int32
  let port: UInt16

  /// - Parameters:
  ///   - host: a numeric IPv4 address of this machine.
  ///   - port: 0 takes a free one.
  init(at host: String = "127.0.0.1", port: UInt16 = 0) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr(host)
    address.sin_port = port.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) | listen(descriptor, 16) | getsockname(descriptor, address, &length)
      }
    }
    self.descriptor = descriptor
    self.port = UInt16(bigEndian: address.sin_port)
    try #require(result == 0)
  }

  deinit { close(descriptor) }
}
