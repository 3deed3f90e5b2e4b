import Glibc
import LinkModel
import StreamTransport

/// The socket by which an origin marks its tokens for a link that loses by token.
final class TokenMarker: Sendable {
  private let socket: Int32

  /// - Parameter client: the client's IPv4 address. Throws ``SystemError``.
  init(client: String) throws(SystemError) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = TokenMark.port.bigEndian
    guard inet_pton(AF_INET, client, &address.sin_addr) == 1 else {
      throw SystemError("inet_pton", number: EINVAL)
    }
    socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw SystemError("socket", number: errno) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      let code = errno
      close(socket)
      throw SystemError("connect", number: code)
    }
  }

  deinit { close(socket) }

  /// Marks a token that is about to be written. Throws ``SystemError`` where the datagram cannot be sent: a run without
  /// its marks would lose nothing.
  func mark(stream: Int, sequence: Int) throws(SystemError) {
    let bytes = TokenMark(stream: stream, sequence: sequence).bytes
    guard send(socket, bytes, bytes.count, Int32(MSG_DONTWAIT)) == bytes.count else {
      throw SystemError("send", number: errno)
    }
  }
}
