import Glibc

/// A TCP port on the loopback address whose queue is full: who connects to it waits.
///
/// The kernel drops a SYN where the accept queue has no room (listen(2)), as a packet filter would.
final class SilentPort {
  let port: UInt16
  private var descriptors: [Int32] = []

  /// Throws where the system does not let its queue be filled, which tests take for a reason to fail.
  init() throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    descriptors.append(listener)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(listener, generic, length) == 0 && listen(listener, 0) == 0 && getsockname(listener, generic, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isBound else { throw Failure() }
    // More than the queue of none or one holds.
    for _ in 0..<4 {
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      descriptors.append(client)
      _ = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, length) }
      }
    }
  }

  struct Failure: Error {}

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }
}
