import Foundation

/// What `--timing` tells; all times from the start of the program's work, the handshake's from its first packet.
struct FetchReport: Encodable, Sendable {
  var handshake: Duration?
  /// When the response's fields came.
  var firstByte: Duration?
  var total: Duration?
  var bytes: Int?
  var transport: String?
  var cipher: String?
  /// Whether the handshake went on with an earlier connection's session.
  var resumption: String?
  /// Why this transport, and what became of the other.
  var reason: String?
  var roundTrip: Duration?
  var packetsSent: UInt64?

  private enum CodingKeys: String, CodingKey {
    case handshake = "handshake_ms"
    case firstByte = "first_byte_ms"
    case total = "total_ms"
    case bytes
    case transport
    case cipher
    case resumption
    case reason
    case roundTrip = "rtt_ms"
    case packetsSent = "packets_sent"
  }

  /// Unknown values are written as null, so that every object has every key.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(handshake.map(Self.milliseconds), forKey: .handshake)
    try container.encode(firstByte.map(Self.milliseconds), forKey: .firstByte)
    try container.encode(total.map(Self.milliseconds), forKey: .total)
    try container.encode(bytes, forKey: .bytes)
    try container.encode(transport, forKey: .transport)
    try container.encode(cipher, forKey: .cipher)
    try container.encode(resumption, forKey: .resumption)
    try container.encode(reason, forKey: .reason)
    try container.encode(roundTrip.map(Self.milliseconds), forKey: .roundTrip)
    try container.encode(packetsSent, forKey: .packetsSent)
  }

  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }

  /// To a microsecond.
  private static func milliseconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    let microseconds = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
    return microseconds.rounded() / 1e3
  }
}
