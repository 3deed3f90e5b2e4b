/// Changes to a packet whose headers have been read; the checksums that cover a change are updated.
extension PacketHeaders {
  /// The offset of the UDP or TCP checksum; nil without one.
  private var checksumOffset: Int? {
    guard network != .absent else { return nil }
    switch transport {
    case .udp: return transportOffset + 6
    case .tcp: return transportOffset + 16
    case .other: return nil
    }
  }

  /// Replaces one byte of the payload.
  func replacePayloadByte(at index: Int, with new: UInt8, in bytes: inout [UInt8]) {
    guard payload.contains(index), bytes.indices.contains(index) else { return }
    let old = bytes[index]
    bytes[index] = new
    // The other byte of the word is the same before and after, so it may count as 0.
    let shift: UInt16 = (index - transportOffset) % 2 == 0 ? 8 : 0
    mendTransport(from: UInt16(old) << shift, to: UInt16(new) << shift, in: &bytes)
  }

  /// The address and port from which the packet comes.
  func source(in bytes: [UInt8]) -> PacketEndpoint? { endpoint(isSource: true, in: bytes) }

  /// The address and port to which the packet goes.
  func destination(in bytes: [UInt8]) -> PacketEndpoint? { endpoint(isSource: false, in: bytes) }

  func replaceSource(with new: PacketEndpoint, in bytes: inout [UInt8]) {
    replaceEndpoint(isSource: true, with: new, in: &bytes)
  }

  func replaceDestination(with new: PacketEndpoint, in bytes: inout [UInt8]) {
    replaceEndpoint(isSource: false, with: new, in: &bytes)
  }

  /// The IP address's bytes; nil if there is no transport whose ports could follow.
  private func addressRange(isSource: Bool) -> Range<Int>? {
    guard transport != .other else { return nil }
    switch network {
    case .ipv4: return isSource ? 12..<16 : 16..<20
    case .ipv6: return isSource ? 8..<24 : 24..<40
    case .absent: return nil
    }
  }

  private func endpoint(isSource: Bool, in bytes: [UInt8]) -> PacketEndpoint? {
    guard let range = addressRange(isSource: isSource) else { return nil }
    let portOffset = transportOffset + (isSource ? 0 : 2)
    guard range.upperBound <= bytes.count, portOffset + 2 <= bytes.count else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for byte in bytes[range] {
      high = high << 8 | low >> 56
      low = low << 8 | UInt64(byte)
    }
    return PacketEndpoint(
      transport: transport, isIPv6: network == .ipv6, addressHigh: high, addressLow: low,
      port: word(at: portOffset, in: bytes))
  }

  private func replaceEndpoint(isSource: Bool, with new: PacketEndpoint, in bytes: inout [UInt8]) {
    guard let range = addressRange(isSource: isSource), endpoint(isSource: isSource, in: bytes) != nil else { return }
    // Only the last word of an address ever changes: a NAT here stays in its network.
    let wordOffset = range.upperBound - 2
    let oldWord = word(at: wordOffset, in: bytes)
    let newWord = UInt16(truncatingIfNeeded: new.addressLow)
    if oldWord != newWord {
      setWord(newWord, at: wordOffset, in: &bytes)
      mendTransport(from: oldWord, to: newWord, in: &bytes)
      if network == .ipv4 {
        setWord(
          InternetChecksum.updated(word(at: 10, in: bytes), from: oldWord, to: newWord), at: 10, in: &bytes)
      }
    }
    let portOffset = transportOffset + (isSource ? 0 : 2)
    let oldPort = word(at: portOffset, in: bytes)
    setWord(new.port, at: portOffset, in: &bytes)
    mendTransport(from: oldPort, to: new.port, in: &bytes)
  }

  private func mendTransport(from old: UInt16, to new: UInt16, in bytes: inout [UInt8]) {
    guard let offset = checksumOffset, offset + 2 <= bytes.count else { return }
    let checksum = word(at: offset, in: bytes)
    // A UDP checksum of 0 says that there is none (RFC 768), so a computed 0 is sent as its other form.
    guard transport != .udp || checksum != 0 else { return }
    let mended = InternetChecksum.updated(checksum, from: old, to: new)
    setWord(transport == .udp && mended == 0 ? 0xFFFF : mended, at: offset, in: &bytes)
  }

  private func word(at offset: Int, in bytes: [UInt8]) -> UInt16 {
    UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
  }

  private func setWord(_ word: UInt16, at offset: Int, in bytes: inout [UInt8]) {
    bytes[offset] = UInt8(word >> 8)
    bytes[offset + 1] = UInt8(word & 0xFF)
  }
}
