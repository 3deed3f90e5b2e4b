/// A packet's header without its protection, which is the associated data that the packet is sealed with
/// (RFC 9001 § 5.3).
package struct QUICPacketHeader: Equatable {
  package enum Kind: Hashable, CaseIterable {
    case initial
    case zeroRTT
    case handshake
    case oneRTT
  }

  /// Packets are numbered for themselves in each (RFC 9000 § 12.3).
  package enum Space: Int, CaseIterable {
    case initial
    case handshake
    case application
  }

  package var kind: Kind
  package var flags: UInt8
  /// Of a long header alone.
  package var version: UInt32?
  package var destination: [UInt8]
  /// Of a long header alone.
  package var source: [UInt8]?
  /// Bytes of an Initial's token, which is a credential and not kept.
  package var tokenLength: Int?
  /// The low bits of the packet's number, and how many there are.
  package var truncatedNumber: UInt64
  package var numberLength: Int

  /// Nil for bytes that are no such header.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard let flags = reader.byte() else { return nil }
    self.flags = flags
    numberLength = Int(flags & 0x03) + 1
    if flags & 0x80 == 0 {
      // A short header does not say how long its id is; all that is not the number belongs to it.
      guard let id = reader.bytes(reader.count - numberLength), let number = reader.integer(numberLength) else {
        return nil
      }
      kind = .oneRTT
      destination = Array(id)
      truncatedNumber = number
      return
    }
    guard let version = reader.integer(4), let destinationLength = reader.byte(),
      let destination = reader.bytes(Int(destinationLength)), let sourceLength = reader.byte(),
      let source = reader.bytes(Int(sourceLength)), let kind = Kind(longHeader: flags)
    else { return nil }
    self.kind = kind
    self.version = UInt32(version)
    self.destination = Array(destination)
    self.source = Array(source)
    if kind == .initial {
      guard let length = reader.varint(), let token = reader.bytes(length) else { return nil }
      tokenLength = token.count
    }
    guard reader.varint() != nil, reader.count == numberLength, let number = reader.integer(numberLength) else {
      return nil
    }
    truncatedNumber = number
  }

  package var space: Space {
    switch kind {
    case .initial: .initial
    case .handshake: .handshake
    case .zeroRTT, .oneRTT: .application
    }
  }

  /// The generation of keys, of two, that a packet of the short form is sealed with (RFC 9001 § 6).
  package var keyPhase: Bool? { kind == .oneRTT ? flags & 0x04 != 0 : nil }

  /// The whole number, given the largest one before it (RFC 9000 appendix A.3).
  package func number(after largest: UInt64?) -> UInt64 {
    let expected = largest.map { $0 + 1 } ?? 0
    let window: UInt64 = 1 << UInt64(8 * numberLength)
    let half = window / 2
    let candidate = expected & ~(window - 1) | truncatedNumber
    if expected >= half, candidate <= expected - half, candidate < 1 << 62 - window { return candidate + window }
    if candidate > expected + half, candidate >= window { return candidate - window }
    return candidate
  }
}

extension QUICPacketHeader.Kind {
  /// The type bits of QUIC version 1, the only one that is spoken (RFC 9000 § 17.2); nil for a Retry, which is not
  /// sealed.
  fileprivate init?(longHeader flags: UInt8) {
    switch flags >> 4 & 0x03 {
    case 0: self = .initial
    case 1: self = .zeroRTT
    case 2: self = .handshake
    default: return nil
    }
  }
}
