/// A captured UDP datagram with QUIC packets in it.
struct TraceDatagram: Hashable, Sendable {
  struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    var address: String
    var port: UInt16
    var isIPv6: Bool { address.contains(":") }
    var description: String { isIPv6 ? "[\(address)]:\(port)" : "\(address):\(port)" }
  }

  enum Sender: Hashable, Sendable { case client, server }

  /// The codepoint of the IP header (RFC 3168 § 5).
  enum ECN: Int, Hashable, Sendable { case notCapable = 0, ect1, ect0, congestionExperienced }

  struct CryptoData: Hashable, Sendable {
    var offset: Int
    var length: Int
  }

  /// Seconds since 1970.
  var time: Double
  var source: Endpoint
  var destination: Endpoint
  var sender: Sender
  /// Of the UDP payload.
  var bytes: Int
  var ecn: ECN?
  var packets: [TracePacket]

  // What the datagram's packets hold, where they could be decrypted.
  var cryptoData: [CryptoData] = []
  /// Whether an ACK frame has ECN counts (RFC 9000 § 19.3.2).
  var reportsECN = false
  var pathChallenges: [String] = []
  var pathResponses: [String] = []
  /// The suites offered in a ClientHello or chosen in a ServerHello.
  var cipherSuites: [UInt16] = []
  var hasCertificate = false
  var initialStreamLimit: Int?

  var path: [Endpoint] { [source, destination] }

  func has(_ kind: TracePacket.Kind) -> Bool { packets.contains { $0.kind == kind } }
}
