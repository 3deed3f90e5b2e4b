import Glibc
import HTTP3Engine
import StreamTransport

/// A TCP port on the loopback address whose queue is full: a client that connects to it waits.
///
/// The kernel drops a SYN where the accept queue has no room (listen(2)), as a packet filter would.
final class SilentPort {
  private let listener: BoundSocket
  private var clients: [CInt] = []

  var port: UInt16 { listener.port }

  /// Throws where the system does not let its queue be filled, which tests take for a reason to fail.
  init() throws {
    listener = try BoundSocket(.tcp)
    try listener.listen(queue: 0)
    // More than the queue of none or one holds.
    for _ in 0..<4 {
      let client = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      clients.append(client)
      // Does not wait for the connection.
      try? NetworkAddress.loopback(port: port).connect(client)
    }
  }

  deinit {
    for client in clients { close(client) }
  }
}
