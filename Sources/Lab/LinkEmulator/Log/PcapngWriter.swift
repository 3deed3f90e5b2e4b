import LinkModel

/// Writes the blocks of a pcapng file (draft-ietf-opsawg-pcapng): one section, one interface, its packets.
///
/// Packets begin with their IP header (LINKTYPE_RAW) and have times in nanoseconds since 1970. What happened to a
/// packet stands in its comment: "dropped: loss".
struct PcapngWriter {
  private enum Block: UInt32 {
    case section = 0x0A0D_0D0A
    case interface = 1
    case packet = 6
  }

  private enum Option: UInt16 {
    case end = 0
    case comment = 1
    /// The name of an interface, or the flags of a packet.
    case second = 2
    /// The program that wrote a section.
    case application = 4
    case timeResolution = 9
  }

  private static let linkTypeRaw: UInt16 = 101

  /// The start of a file.
  static func header(interface name: String, snapLength: Int) -> [UInt8] {
    var writer = PcapngWriter()
    writer.block(.section) { writer in
      writer.append(UInt32(0x1A2B_3C4D))
      writer.append(UInt16(1))
      writer.append(UInt16(0))
      writer.append(UInt64.max)  // The section's length is not given.
      writer.option(.application, Array("LinkEmulator".utf8))
      writer.option(.end, [])
    }
    writer.block(.interface) { writer in
      writer.append(linkTypeRaw)
      writer.append(UInt16(0))
      writer.append(UInt32(clamping: snapLength))
      writer.option(.second, Array(name.utf8))
      writer.option(.timeResolution, [9])
      writer.option(.end, [])
    }
    return writer.bytes
  }

  /// One packet; `wallClockOffset` leads from its monotonic time to the time since 1970.
  static func packet(_ packet: PacketCapture.Packet, wallClockOffset: Int64) -> [UInt8] {
    var writer = PcapngWriter()
    let time = UInt64(max(packet.time &+ wallClockOffset, 0))
    writer.block(.packet) { writer in
      writer.append(UInt32(0))
      writer.append(UInt32(time >> 32))
      writer.append(UInt32(truncatingIfNeeded: time))
      writer.append(UInt32(clamping: packet.bytes.count))
      writer.append(UInt32(clamping: packet.originalBytes))
      writer.appendPadded(packet.bytes)
      if let comment = packet.comment { writer.option(.comment, Array(comment.utf8)) }
      let flags: UInt32 = packet.isReceived ? 1 : 2
      writer.option(.second, withUnsafeBytes(of: flags.littleEndian) { Array($0) })
      writer.option(.end, [])
    }
    return writer.bytes
  }

  // MARK: Bytes

  private var bytes: [UInt8] = []

  private mutating func block(_ type: Block, _ body: (inout PcapngWriter) -> Void) {
    let start = bytes.count
    append(type.rawValue)
    append(UInt32(0))
    body(&self)
    let length = UInt32(clamping: bytes.count - start + 4)
    append(length)
    withUnsafeBytes(of: length.littleEndian) { bytes.replaceSubrange(start + 4..<start + 8, with: $0) }
  }

  private mutating func option(_ code: Option, _ value: [UInt8]) {
    append(code.rawValue)
    append(UInt16(clamping: value.count))
    appendPadded(value)
  }

  private mutating func appendPadded(_ value: [UInt8]) {
    bytes += value
    while bytes.count % 4 != 0 { bytes.append(0) }
  }

  private mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
  }
}

extension PacketCapture.Packet {
  /// nil when nothing befell it.
  var comment: String? {
    switch (verdict, cause) {
    case (.dropped, _): "dropped: \(cause.rawValue)"
    case (_, .none): nil
    case (_, _): isReceived ? cause.rawValue : "\(cause.rawValue) on the link"
    }
  }
}
