/// The notice to a link that a token is about to be sent, for loss by token.
///
/// An origin behind the link sends it as a UDP datagram toward the client just before it writes the token. A link whose
/// loss is by token takes it off and carries it no further; it comes in order with the packets around it, as no other way
/// from process to process would.
package struct TokenMark: Hashable, Sendable {
  /// The port of the discard protocol (RFC 863), at which nobody listens.
  package static let port: UInt16 = 9
  private static let magic: [UInt8] = Array("token mark ".utf8)

  package var stream: UInt32
  package var sequence: UInt32

  package init(stream: Int, sequence: Int) {
    self.stream = UInt32(clamping: stream)
    self.sequence = UInt32(clamping: sequence)
  }

  /// Reads a mark; nil for any other packet.
  init?(_ packet: LinkPacket, _ headers: PacketHeaders) {
    guard headers.transport == .udp, headers.payload.count == Self.magic.count + 8,
      packet.bytes.indices.contains(headers.payload.upperBound - 1),
      headers.destination(in: packet.bytes)?.port == Self.port,
      packet.bytes[headers.payload].starts(with: Self.magic)
    else { return nil }
    let number = packet.bytes[headers.payload].suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    stream = UInt32(truncatingIfNeeded: number >> 32)
    sequence = UInt32(truncatingIfNeeded: number)
  }

  /// Both numbers in one.
  var value: UInt64 { UInt64(stream) << 32 | UInt64(sequence) }

  /// The datagram's payload.
  package var bytes: [UInt8] {
    Self.magic + (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
}
