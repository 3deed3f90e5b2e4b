import Foundation
import HTTPTypes
import StreamTransport

/// What `--timing` tells; all times from the start of the program's work, the handshake's from its first packet.
struct FetchReport: Encodable, Sendable {
  /// What is known of the connection: at first what was agreed on, at the end its figures.
  var connection: ConnectionSnapshot?
  /// When the response's fields came.
  var firstByte: Duration?
  var total: Duration?
  var bytes: Int?
  /// The statuses of interim responses.
  var interim: [Int]?
  var trailers: HTTPFields?

  private enum CodingKeys: String, CodingKey {
    case handshake = "handshake_ms"
    case firstByte = "first_byte_ms"
    case total = "total_ms"
    case bytes
    case interim
    case trailers
    case transport
    case cipher
    case resumption
    case reason
    case roundTrip = "rtt_ms"
    case minimumRoundTrip = "min_rtt_ms"
    case congestionWindow = "congestion_window"
    case packetsSent = "packets_sent"
    case packetsReceived = "packets_received"
    case bytesSent = "bytes_sent"
    case bytesReceived = "bytes_received"
  }

  /// Unknown values are written as null, so that every object has every key.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(firstByte.map(Self.milliseconds), forKey: .firstByte)
    try container.encode(total.map(Self.milliseconds), forKey: .total)
    try container.encode(bytes, forKey: .bytes)
    try container.encode(interim, forKey: .interim)
    try container.encode(trailers.map(Self.dictionary), forKey: .trailers)
    let info = connection?.connection
    try container.encode(info.map { Self.milliseconds($0.handshake) }, forKey: .handshake)
    try container.encode(info?.transport.rawValue, forKey: .transport)
    try container.encode(info?.cipher, forKey: .cipher)
    try container.encode(info?.resumption.rawValue, forKey: .resumption)
    try container.encode(info?.reason, forKey: .reason)
    try container.encode(connection?.roundTrip.map(Self.milliseconds), forKey: .roundTrip)
    try container.encode(connection?.minimumRoundTrip.map(Self.milliseconds), forKey: .minimumRoundTrip)
    try container.encode(connection?.congestionWindow, forKey: .congestionWindow)
    try container.encode(connection?.packetsSent, forKey: .packetsSent)
    try container.encode(connection?.packetsReceived, forKey: .packetsReceived)
    try container.encode(connection?.bytesSent, forKey: .bytesSent)
    try container.encode(connection?.bytesReceived, forKey: .bytesReceived)
  }

  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }

  /// A name that came several times has its values joined (RFC 9110 § 5.3).
  private static func dictionary(_ fields: HTTPFields) -> [String: String] {
    Dictionary(fields.map { ($0.name.canonicalName, $0.value) }) { "\($0), \($1)" }
  }

  /// To a microsecond.
  private static func milliseconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    let microseconds = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
    return microseconds.rounded() / 1e3
  }
}
