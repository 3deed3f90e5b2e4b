import HTTP3Engine
import StreamTransport

extension UDPSocket {
  /// Sends one datagram, or several of `segmentSize`, on a connected socket's path.
  func send(_ bytes: [UInt8], segmentSize: Int? = nil, ecn: ECNCodepoint = .notECT) -> SendOutcome {
    guard let path else { preconditionFailure("Only a connected socket has one path.") }
    return bytes.withUnsafeBytes { send($0, segmentSize: segmentSize ?? bytes.count, path: path, ecn: ecn) }
  }
}
