/// Changes one byte of a payload and corrects the checksum, so that the damage reaches the layer that must detect it.
struct CorruptionProcess: Sendable {
  /// The byte is among this many first ones, as in the QUIC interop runner, where the headers of QUIC and TLS are.
  static let reach = 50

  private let rate: Double
  private let longestBurst: Int
  /// Packets changed in a row so far.
  private var burst = 0
  private var generator: LinkGenerator

  init(rate: Double, longestBurst: Int? = nil, seed: LinkSeed, _ direction: LinkDirection) {
    self.rate = rate
    self.longestBurst = longestBurst ?? .max
    generator = seed.generator(for: .corruption, direction)
  }

  /// Whether the packet was changed. One without a payload, and Version Negotiation, are spared.
  mutating func corrupt(_ packet: inout LinkPacket, _ headers: PacketHeaders) -> Bool {
    let isCorrupted = generator.chance(rate) && burst < longestBurst && change(&packet, headers)
    burst = isCorrupted ? burst + 1 : 0
    return isCorrupted
  }

  private mutating func change(_ packet: inout LinkPacket, _ headers: PacketHeaders) -> Bool {
    let index = headers.payload.lowerBound + generator.below(min(headers.payload.count, Self.reach))
    let change = UInt8(1 + generator.below(255))
    guard headers.payload.contains(index), packet.bytes.indices.contains(index) else { return false }
    if headers.transport == .udp, Self.isVersionNegotiation(packet.bytes, headers.payload) { return false }
    headers.replacePayloadByte(at: index, with: packet.bytes[index] ^ change, in: &packet.bytes)
    return true
  }

  /// A long header with version 0 (RFC 9000 § 17.2.1).
  private static func isVersionNegotiation(_ bytes: [UInt8], _ payload: Range<Int>) -> Bool {
    guard payload.count >= 5, payload.upperBound <= bytes.count else { return false }
    let start = payload.lowerBound
    return bytes[start] & 0x80 != 0 && bytes[start + 1..<start + 5].allSatisfy { $0 == 0 }
  }
}
