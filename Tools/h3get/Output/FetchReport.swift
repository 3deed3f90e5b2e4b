import Foundation
import HTTPTypes
import StreamTransport
import ToolSupport

/// The report of `--timing` on one URL; times from the start of its request, the handshake's from its first packet.
struct FetchReport: Encodable, Sendable {
  var url: String
  var status: Int?
  /// The connection: at first the result of its handshake, at the end its figures.
  var connection: ConnectionSnapshot?
  /// The time until the connection could be used, the name's resolution included.
  var connect: Duration?
  /// The time until the response's fields came.
  var firstByte: Duration?
  var total: Duration?
  var bytes: Int?
  /// The statuses of interim responses.
  var interim: [Int]?
  var trailers: HTTPFields?
  /// Whether new keys came into use where that was asked for.
  var isKeyUpdated: Bool?
  var events: EventTimes?

  private enum CodingKeys: String, CodingKey {
    case url
    case status
    case lookup = "lookup_ms"
    case connect = "connect_ms"
    case handshake = "handshake_ms"
    case firstByte = "first_byte_ms"
    case total = "total_ms"
    case bytes
    case interim
    case trailers
    case transport
    case quicVersion = "quic_version"
    case cipher
    case resumption
    case reason
    case remoteAddress = "remote_address"
    case isKeyUpdated = "key_updated"
    case roundTrip = "rtt_ms"
    case minimumRoundTrip = "min_rtt_ms"
    case congestionWindow = "congestion_window"
    case packetsSent = "packets_sent"
    case packetsReceived = "packets_received"
    case bytesSent = "bytes_sent"
    case bytesReceived = "bytes_received"
    case events
    case firstEvent = "first_event_ms"
    case medianGap = "gap_median_ms"
    case p99Gap = "gap_p99_ms"
  }

  init(url: String) {
    self.url = url
  }

  /// Unknown values are written as null, so that every object has every key.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(url, forKey: .url)
    try container.encode(status, forKey: .status)
    try container.encode(connect?.inMilliseconds, forKey: .connect)
    try container.encode(firstByte?.inMilliseconds, forKey: .firstByte)
    try container.encode(total?.inMilliseconds, forKey: .total)
    try container.encode(bytes, forKey: .bytes)
    try container.encode(interim, forKey: .interim)
    try container.encode(trailers.map(Self.dictionary), forKey: .trailers)
    try container.encode(isKeyUpdated, forKey: .isKeyUpdated)
    let info = connection?.connection
    try container.encode(info?.nameLookup?.inMilliseconds, forKey: .lookup)
    try container.encode(info?.handshake.inMilliseconds, forKey: .handshake)
    try container.encode(info?.transport.rawValue, forKey: .transport)
    try container.encode(info?.quicVersion, forKey: .quicVersion)
    try container.encode(info?.cipher, forKey: .cipher)
    try container.encode(info?.resumption.rawValue, forKey: .resumption)
    try container.encode(info?.reason, forKey: .reason)
    try container.encode(info?.remoteAddress, forKey: .remoteAddress)
    try container.encode(connection?.roundTrip?.inMilliseconds, forKey: .roundTrip)
    try container.encode(connection?.minimumRoundTrip?.inMilliseconds, forKey: .minimumRoundTrip)
    try container.encode(connection?.congestionWindow, forKey: .congestionWindow)
    try container.encode(connection?.packetsSent, forKey: .packetsSent)
    try container.encode(connection?.packetsReceived, forKey: .packetsReceived)
    try container.encode(connection?.bytesSent, forKey: .bytesSent)
    try container.encode(connection?.bytesReceived, forKey: .bytesReceived)
    try container.encode(events?.count, forKey: .events)
    try container.encode(events?.first?.inMilliseconds, forKey: .firstEvent)
    try container.encode(events?.medianGap?.inMilliseconds, forKey: .medianGap)
    try container.encode(events?.p99Gap?.inMilliseconds, forKey: .p99Gap)
  }

  var json: String { (try? JSONLine.text(of: self)) ?? "{}" }

  /// A name that came several times has its values joined (RFC 9110 § 5.3).
  private static func dictionary(_ fields: HTTPFields) -> [String: String] {
    Dictionary(fields.map { ($0.name.canonicalName, $0.value) }) { "\($0), \($1)" }
  }
}
