/// The frames in a packet's payload that are judged before the library reads them, found by skipping and counting the others
/// (RFC 9000 § 19).
///
/// It reads every packet that arrives, and so makes nothing of the other frames, as ``QUICFrameDecoder`` does. It ends at
/// the first frame that is malformed or unknown: the library refuses the whole packet for it.
struct GuardedFrames {
  enum Frame: Equatable {
    case crypto(offset: UInt64, count: UInt64)
    case newConnectionID(sequence: UInt64, retirePriorTo: UInt64)
    case handshakeDone
  }

  /// What was read until now.
  private(set) var tally = FrameBudget.Tally()
  /// The greatest number that the first acknowledgement has (the library looks at no other of the packet, nor checks them),
  /// and whether any covers a number of ``unsent``.
  private(set) var largestAcknowledged: UInt64?
  private(set) var acknowledgesUnsent = false
  private let base: UnsafeRawPointer
  private let end: Int
  private let unsent: [UInt64]
  private var index = 0

  /// Lends the payload: it must outlive this value.
  ///
  /// - Parameter unsent: numbers of packets that the peer cannot have.
  init?(_ payload: UnsafeRawBufferPointer, unsent: [UInt64] = []) {
    guard let base = payload.baseAddress else { return nil }
    self.base = base
    self.unsent = unsent
    end = payload.count
  }

  mutating func next() -> Frame? {
    while index < end {
      let type = base.load(fromByteOffset: index, as: UInt8.self)
      index += 1
      switch type {
      case 0x00: continue
      case 0x02, 0x03:
        guard readAcknowledgement(hasMarks: type == 0x03) else { return nil }
        continue
      case 0x06:
        guard let offset = varint(), let count = varint(), skip(count) else { return nil }
        note(byteCount: count)
        return .crypto(offset: offset, count: count)
      case 0x08...0x0f:
        guard varint() != nil, type & 0x04 == 0 || varint() != nil else { return nil }
        // Without a length it takes the rest of the packet.
        let count = type & 0x02 != 0 ? varint() : UInt64(end - index)
        guard let count, skip(count) else { return nil }
        // The end of a stream is data too.
        note(byteCount: type & 0x01 != 0 ? count + 1 : count)
        continue
      case 0x30, 0x31:
        let count = type == 0x31 ? varint() : UInt64(end - index)
        guard let count, skip(count) else { return nil }
        note(byteCount: count)
        continue
      default: tally.control += 1
      }
      switch type {
      case 0x01: continue
      case 0x04: guard skipNumbers(3) else { return nil }
      case 0x05, 0x11, 0x15: guard skipNumbers(2) else { return nil }
      case 0x10, 0x12, 0x13, 0x14, 0x16, 0x17, 0x19: guard skipNumbers(1) else { return nil }
      case 0x07: guard skipData() else { return nil }
      case 0x18:
        guard let sequence = varint(), let retirePriorTo = varint(), index < end else { return nil }
        let length = base.load(fromByteOffset: index, as: UInt8.self)
        guard skip(1 + UInt64(length) + 16) else { return nil }
        return .newConnectionID(sequence: sequence, retirePriorTo: retirePriorTo)
      case 0x1e: return .handshakeDone
      case 0x1a, 0x1b: guard skip(8) else { return nil }
      case 0x1c: guard skipNumbers(2), skipData() else { return nil }
      case 0x1d: guard skipNumbers(1), skipData() else { return nil }
      default: return nil
      }
    }
    return nil
  }

  private mutating func skip(_ count: UInt64) -> Bool {
    guard count <= UInt64(end - index) else { return false }
    index += Int(count)
    return true
  }

  private mutating func skipData() -> Bool {
    guard let count = varint() else { return false }
    return skip(count)
  }

  private mutating func skipNumbers(_ count: Int) -> Bool {
    for _ in 0..<count where varint() == nil { return false }
    return true
  }

  /// Counts a frame of data; one without any brings nothing.
  private mutating func note(byteCount: UInt64) {
    if byteCount > 0 { tally.data += 1 } else { tally.control += 1 }
  }

  private mutating func readAcknowledgement(hasMarks: Bool) -> Bool {
    guard let largest = varint(), skipNumbers(1), let ranges = varint(), let first = varint() else { return false }
    largestAcknowledged = largestAcknowledged ?? largest
    // The library refuses numbers below 0, which end what is looked at here.
    var lowest = cover(from: largest, first)
    // A range takes two bytes at least, so that the loop ends with the payload.
    for _ in 0..<ranges {
      guard let gap = varint(), let length = varint() else { return false }
      tally.ranges += 1
      if let low = lowest { lowest = low >= gap + 2 ? cover(from: low - gap - 2, length) : nil }
    }
    return !hasMarks || skipNumbers(3)
  }

  /// Looks for numbers that were never sent; answers the lowest number of the range, nil where it is below 0.
  private mutating func cover(from largest: UInt64, _ length: UInt64) -> UInt64? {
    guard length <= largest else { return nil }
    if !acknowledgesUnsent { acknowledgesUnsent = unsent.contains { (largest - length...largest).contains($0) } }
    return largest - length
  }

  /// A variable-length integer (RFC 9000 § 16).
  private mutating func varint() -> UInt64? {
    guard index < end else { return nil }
    let first = base.load(fromByteOffset: index, as: UInt8.self)
    let length = 1 << Int(first >> 6)
    guard length <= end - index else { return nil }
    var value = UInt64(first & 0x3f)
    for offset in 1..<length {
      value = value << 8 | UInt64(base.load(fromByteOffset: index + offset, as: UInt8.self))
    }
    index += length
    return value
  }
}
