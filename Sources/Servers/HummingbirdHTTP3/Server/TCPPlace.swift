import StreamTransport

/// Where connections are accepted.
enum TCPPlace: Sendable {
  /// A numeric address; port 0 takes a free one.
  case address(String, port: Int)
  /// A socket that another process has bound.
  case socket(InheritedSocket)

  /// The sentence for a failure to listen there.
  func failure(_ error: any Error) -> String {
    switch self {
    case .address(let address, let port):
      "TCP cannot listen on \(address), port \(port): \(error). Is the port taken?"
    case .socket: "The TCP socket that was passed cannot be served: \(error)"
    }
  }
}
