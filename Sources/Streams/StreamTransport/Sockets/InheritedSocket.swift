import CLinux
import Glibc
import HTTP3Engine
import Synchronization

/// An open socket that another process has bound and passed on, as systemd's `.socket` units do: of UDP, or of TCP.
///
/// It owns the descriptor until a server takes it, and closes it where none does. What waits in the socket is served; that
/// process may keep the socket open and pass it to the next server, so that nothing is lost in between.
public final class InheritedSocket: Sendable {
  /// The protocol of a socket over IP.
  public enum Kind: String, Hashable, Sendable {
    /// A stream socket that accepts connections.
    case tcp = "TCP"
    /// A datagram socket.
    case udp = "UDP"
  }

  /// The socket's protocol.
  public let kind: Kind
  /// The numeric address that the socket is bound to; `0.0.0.0` or `::` for all.
  public let address: String
  /// The port that the socket is bound to, 1 to 65535.
  public let port: Int
  let localAddress: NetworkAddress
  private let descriptor: Mutex<CInt?>

  /// Takes over a descriptor; where it throws the descriptor stays the caller's.
  ///
  /// Throws ``TransportError`` (`invalidRequest`) for what is not open, no socket, one of another protocol than UDP and TCP over
  /// IP, bound to no port, or connected to a peer.
  public init(taking descriptor: CInt) throws(TransportError) {
    var found = clinux_socket()
    let answer = clinux_socket_look(descriptor, &found)
    switch -answer {
    case 0: break
    case ENOTSOCK: throw Self.refusal(descriptor, "is no socket; pass an open one of UDP or TCP.")
    case EBADF: throw Self.refusal(descriptor, "is not open; pass the number of an open socket.")
    default: throw Self.refusal(descriptor, "cannot be examined: \(SystemError("getsockopt", answer: answer)).")
    }
    switch found.kind {
    case CInt(CLINUX_SOCKET_TCP): kind = .tcp
    case CInt(CLINUX_SOCKET_UDP): kind = .udp
    default:
      throw Self.refusal(
        descriptor,
        "is a socket of another protocol than UDP and TCP over IP; of systemd's .socket unit, ListenStream= and ListenDatagram= "
          + "with a port are for servers.")
    }
    guard !found.is_connected else {
      throw Self.refusal(
        descriptor,
        "is one connection; a server accepts them itself, for which systemd's .socket unit has Accept=no, the default.")
    }
    guard let local = NetworkAddress(found.local), local.port != 0 else {
      throw Self.refusal(descriptor, "is bound to no port; bind it before it is passed.")
    }
    localAddress = local
    address = local.isWildcard ? (local.isIPv4 ? "0.0.0.0" : "::") : local.literal
    port = Int(local.port)
    self.descriptor = Mutex(descriptor)
  }

  deinit {
    if let number = descriptor.withLock({ $0.take() }) { clinux_close(number) }
  }

  /// Gives the descriptor away; the caller closes it.
  ///
  /// Throws ``TransportError`` (`invalidRequest`) for a socket of another kind, and for one that was given away before.
  package func take(_ wanted: Kind) throws(TransportError) -> CInt {
    guard kind == wanted else {
      throw TransportError(
        .invalidRequest,
        "A \(wanted.rawValue) socket is needed here, and the one of port \(port) at \(address) is of \(kind.rawValue).")
    }
    guard let number = descriptor.withLock({ $0.take() }) else {
      throw TransportError(
        .invalidRequest,
        "The \(kind.rawValue) socket of port \(port) at \(address) was given to a server before; the next one needs a "
          + "descriptor of its own, which dup(2) makes.")
    }
    return number
  }

  private static func refusal(_ descriptor: CInt, _ reason: String) -> TransportError {
    TransportError(.invalidRequest, "Descriptor \(descriptor) \(reason)")
  }
}
