import Glibc
import HTTP3Engine
import LinkModel
import StreamTransport

/// The socket by which an origin marks its tokens for a link that loses by token.
final class TokenMarker: Sendable {
  private let socket: Int32

  /// - Parameter client: the client's IPv4 address. Throws ``SystemError``.
  init(client: String) throws(SystemError) {
    guard let address = NetworkAddress(literal: client, port: TokenMark.port), address.isIPv4 else {
      throw SystemError("getaddrinfo", number: EINVAL)
    }
    socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw SystemError("socket", number: errno) }
    do throws(SystemError) { try address.connect(socket) } catch {
      close(socket)
      throw error
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
