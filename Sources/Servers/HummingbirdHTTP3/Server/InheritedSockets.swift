public import StreamTransport

/// Open sockets that a ``MultiProtocolServer`` serves in place of ones of its own: one of TCP and one of UDP, of the same
/// port.
public struct InheritedSockets: Sendable {
  /// The socket for HTTP/2 and HTTP/1.1.
  public let tcp: InheritedSocket
  /// The socket for HTTP/3.
  public let udp: InheritedSocket

  /// Creates the pair of the sockets that a process was passed, in any order.
  ///
  /// Throws ``MultiProtocolError`` (`sockets`) where they are not one of each kind, or have different ports.
  public init(_ sockets: [InheritedSocket]) throws(MultiProtocolError) {
    tcp = try Self.only(.tcp, of: sockets, directive: "ListenStream=")
    udp = try Self.only(.udp, of: sockets, directive: "ListenDatagram=")
    guard tcp.port == udp.port else {
      throw MultiProtocolError(
        .sockets,
        "The sockets that were passed have different ports, TCP \(tcp.port) and UDP \(udp.port); give ListenStream= and "
          + "ListenDatagram= of the .socket unit the same one.")
    }
  }

  /// The numeric address that the TCP socket is bound to; `0.0.0.0` or `::` for all.
  public var address: String { tcp.address }
  /// The port of both.
  public var port: Int { tcp.port }

  private static func only(
    _ kind: InheritedSocket.Kind, of sockets: [InheritedSocket], directive: String
  ) throws(MultiProtocolError) -> InheritedSocket {
    let found = sockets.filter { $0.kind == kind }
    guard let first = found.first else {
      throw MultiProtocolError(
        .sockets,
        "No \(kind.rawValue) socket was passed, and a server needs one of TCP and one of UDP; give the .socket unit "
          + "\(directive) with the port.")
    }
    guard found.count == 1 else {
      let places = found.map { "\($0.address) port \($0.port)" }.joined(separator: ", ")
      throw MultiProtocolError(
        .sockets,
        "\(found.count) \(kind.rawValue) sockets were passed (\(places)), and a server takes one; leave one \(directive) in "
          + "the .socket unit, [::]:port for all addresses, or start a server for each.")
    }
    return first
  }
}
