/// Takes the frames out of a packet's payload, whatever its bytes are.
package struct QUICFrameDecoder {
  /// Ranges that are kept of one acknowledgement; the others are counted.
  package static let rangeLimit = 64

  private var reader: ByteReader

  /// Lends the payload: it must outlive the decoder.
  package init(_ payload: UnsafeRawBufferPointer) {
    reader = ByteReader(payload)
  }

  /// The next frame and its length in the packet, in bytes; nil at the end.
  package mutating func next() -> (frame: QUICFrame, length: Int)? {
    let before = reader
    guard !reader.isEmpty else { return nil }
    var type: UInt64?
    if let frame = read(&type) { return (frame, before.count - reader.count) }
    // Where a malformed frame ends is not known, so it takes the rest with it.
    _ = reader.bytes(reader.count)
    return (.unknown(type: type, length: before.count), before.count)
  }

  private mutating func read(_ type: inout UInt64?) -> QUICFrame? {
    type = reader.varint()
    guard let type else { return nil }
    switch type {
    case 0x00: return .padding(count: 1 + reader.zeros())
    case 0x01: return .ping
    case 0x02, 0x03: return acknowledgement(hasMarks: type == 0x03)
    case 0x04: return three { .resetStream(id: $0, code: $1, finalSize: $2) }
    case 0x05: return two { .stopSending(id: $0, code: $1) }
    case 0x06:
      guard let offset = reader.varint(), let length = data() else { return nil }
      return .crypto(offset: offset, length: length)
    case 0x07: return data().map { .newToken(length: $0) }
    case 0x08...0x0f: return stream(type)
    case 0x10: return one { .maxData($0) }
    case 0x11: return two { .maxStreamData(id: $0, $1) }
    case 0x12, 0x13: return one { .maxStreams(type == 0x12 ? .bidirectional : .unidirectional, $0) }
    case 0x14: return one { .dataBlocked($0) }
    case 0x15: return two { .streamDataBlocked(id: $0, $1) }
    case 0x16, 0x17: return one { .streamsBlocked(type == 0x16 ? .bidirectional : .unidirectional, $0) }
    case 0x18: return newConnectionID()
    case 0x19: return one { .retireConnectionID(sequence: $0) }
    case 0x1a: return reader.integer(8).map { .pathChallenge($0) }
    case 0x1b: return reader.integer(8).map { .pathResponse($0) }
    case 0x1c, 0x1d: return close(isApplication: type == 0x1d)
    case 0x1e: return .handshakeDone
    case 0x30: return reader.bytes(reader.count).map { .datagram(length: $0.count) }
    case 0x31: return data().map { .datagram(length: $0) }
    default: return nil
    }
  }

  private mutating func one(_ make: (UInt64) -> QUICFrame) -> QUICFrame? {
    reader.varint().map(make)
  }

  private mutating func two(_ make: (UInt64, UInt64) -> QUICFrame) -> QUICFrame? {
    guard let first = reader.varint(), let second = reader.varint() else { return nil }
    return make(first, second)
  }

  private mutating func three(_ make: (UInt64, UInt64, UInt64) -> QUICFrame) -> QUICFrame? {
    guard let first = reader.varint(), let second = reader.varint(), let third = reader.varint() else { return nil }
    return make(first, second, third)
  }

  /// Skips a length and as many bytes.
  private mutating func data() -> Int? {
    reader.varint().flatMap { reader.bytes($0)?.count }
  }

  /// The three lowest bits of the type say which fields there are (RFC 9000 § 19.8).
  private mutating func stream(_ type: UInt64) -> QUICFrame? {
    guard let id = reader.varint() else { return nil }
    var offset: UInt64 = 0
    if type & 0x04 != 0 {
      guard let value = reader.varint() else { return nil }
      offset = value
    }
    let length = type & 0x02 != 0 ? data() : reader.bytes(reader.count)?.count
    return length.map { .stream(id: id, offset: offset, length: $0, isLast: type & 0x01 != 0) }
  }

  /// RFC 9000 § 19.3: each range is given by its distance to the one before it.
  private mutating func acknowledgement(hasMarks: Bool) -> QUICFrame? {
    guard let largest = reader.varint(), let delay = reader.varint(), let count = reader.varint(),
      let first = reader.varint(), first <= largest
    else { return nil }
    var smallest = largest - first
    var ranges = [smallest...largest]
    var omitted: UInt64 = 0
    for _ in 0..<count {
      // Both are below 2^62, so that the sums stay in range.
      guard let gap = reader.varint(), let length = reader.varint(), gap + 2 <= smallest,
        length <= smallest - gap - 2
      else { return nil }
      let upper = smallest - gap - 2
      smallest = upper - length
      if ranges.count < Self.rangeLimit {
        ranges.append(smallest...upper)
      } else {
        omitted += 1
      }
    }
    var marks: QUICFrame.Marks?
    if hasMarks {
      guard let ect0 = reader.varint(), let ect1 = reader.varint(), let experienced = reader.varint() else {
        return nil
      }
      marks = QUICFrame.Marks(ect0: ect0, ect1: ect1, congestionExperienced: experienced)
    }
    return .acknowledgement(
      QUICFrame.Acknowledgement(ranges: ranges, omittedRanges: omitted, delay: delay, marks: marks))
  }

  private mutating func newConnectionID() -> QUICFrame? {
    guard let sequence = reader.varint(), let retirePriorTo = reader.varint(), let length = reader.byte(),
      (1...20).contains(length), let id = reader.bytes(Int(length)), reader.bytes(16) != nil
    else { return nil }
    return .newConnectionID(sequence: sequence, retirePriorTo: retirePriorTo, id: Array(id))
  }

  private mutating func close(isApplication: Bool) -> QUICFrame? {
    guard let code = reader.varint() else { return nil }
    var frameType: UInt64?
    if !isApplication {
      guard let value = reader.varint() else { return nil }
      frameType = value
    }
    guard let length = reader.varint(), let reason = reader.bytes(length) else { return nil }
    return .close(
      QUICFrame.Close(
        isApplication: isApplication, code: code, frameType: frameType, reason: String(decoding: reason, as: UTF8.self))
    )
  }
}
