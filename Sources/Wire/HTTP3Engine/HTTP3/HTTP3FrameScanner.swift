/// Finds the frames of HTTP/3 in the bytes of one direction of one stream (RFC 9114 §§ 6.2, 7.1), of which the library
/// reports only the contents.
package struct HTTP3FrameScanner {
  package enum Found: Equatable {
    /// The type of a unidirectional stream, its first bytes.
    case streamType(UInt64)
    /// The beginning of a frame; for SETTINGS and GOAWAY its end, with the payload as pairs and as one number.
    case frame(type: UInt64, length: UInt64, contents: [UInt64])
    /// The content of a PRIORITY_UPDATE frame, found just before, for a request stream (RFC 9218 § 7.2).
    case priorityUpdate(element: UInt64, value: [UInt8])
    /// The payload of a HEADERS frame, found just before, where these are kept; nil for one that is too large for it.
    case fieldSection([UInt8]?)
  }

  /// Payloads that are read are smaller than this; others are skipped.
  private static let contentsLimit: UInt64 = 512
  private static let priorityUpdate: UInt64 = 0xf0700

  private enum State {
    case streamType
    case frameType
    case frameLength(type: UInt64)
    /// A payload that is kept until it is complete.
    case contents(type: UInt64, length: Int)
    case skipping(UInt64)
    /// A stream of instructions, not of frames.
    case opaque
  }

  /// The largest HEADERS payload that is kept; nil keeps none.
  private let fieldSectionLimit: UInt64?
  private var state: State
  /// Bytes of what is not complete yet.
  private var partial: [UInt8] = []

  package init(isUnidirectional: Bool, fieldSectionLimit: UInt64? = nil) {
    self.fieldSectionLimit = fieldSectionLimit
    state = isUnidirectional ? .streamType : .frameType
  }

  /// Takes the next bytes of the stream where all are of a payload that is skipped, as most are; false where they are not.
  package mutating func skip(_ count: Int) -> Bool {
    guard case .skipping(let rest) = state, rest >= count else { return false }
    state = .skipping(rest - UInt64(count))
    return true
  }

  /// Takes the next bytes of the stream.
  package mutating func scan(_ bytes: UnsafeRawBufferPointer, _ report: (Found) -> Void) {
    var rest = bytes[...]
    while true {
      switch state {
      case .opaque: return
      case .streamType:
        guard let type = varint(&rest) else { return }
        // Frames are on the control stream alone; a push stream is never allowed here.
        state = type == 0x00 ? .frameType : .opaque
        report(.streamType(type))
      case .frameType:
        guard let type = varint(&rest) else { return }
        state = .frameLength(type: type)
      case .frameLength(let type):
        guard let length = varint(&rest) else { return }
        if type == 0x04 || type == 0x07 || type == Self.priorityUpdate, length <= Self.contentsLimit {
          state = .contents(type: type, length: Int(length))
        } else if type == 0x01, length > 0, let limit = fieldSectionLimit {
          report(.frame(type: type, length: length, contents: []))
          state = length <= limit ? .contents(type: type, length: Int(length)) : .skipping(length)
          if length > limit { report(.fieldSection(nil)) }
        } else {
          state = .skipping(length)
          report(.frame(type: type, length: length, contents: []))
        }
      case .contents(let type, let length):
        while partial.count < length, let byte = rest.popFirst() { partial.append(byte) }
        guard partial.count == length else { return }
        let payload = partial
        partial = []
        state = .frameType
        if type == 0x01 {
          report(.fieldSection(payload))
          continue
        }
        guard type == Self.priorityUpdate else {
          report(.frame(type: type, length: UInt64(length), contents: Self.numbers(payload)))
          continue
        }
        report(.frame(type: type, length: UInt64(length), contents: []))
        payload.withUnsafeBytes { bytes in
          var reader = ByteReader(bytes)
          guard let element = reader.varint() else { return }
          report(.priorityUpdate(element: element, value: payload.suffix(reader.count)))
        }
      case .skipping(let count):
        guard count > 0 else {
          state = .frameType
          continue
        }
        guard !rest.isEmpty else { return }
        let taken = min(count, UInt64(rest.count))
        rest = rest.dropFirst(Int(taken))
        state = .skipping(count - taken)
      }
    }
  }

  private static func numbers(_ payload: [UInt8]) -> [UInt64] {
    payload.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      var numbers: [UInt64] = []
      while let number = reader.varint() { numbers.append(number) }
      return numbers
    }
  }

  /// A variable-length integer, which may come in pieces.
  private mutating func varint(_ rest: inout UnsafeRawBufferPointer.SubSequence) -> UInt64? {
    if partial.isEmpty {
      var reader = ByteReader(UnsafeRawBufferPointer(rebasing: rest))
      if let value = reader.varint() {
        rest = rest.suffix(reader.count)
        return value
      }
    }
    while let byte = rest.popFirst() {
      partial.append(byte)
      let value = partial.withUnsafeBytes { bytes in
        var reader = ByteReader(bytes)
        return reader.varint()
      }
      guard let value else { continue }
      partial.removeAll(keepingCapacity: true)
      return value
    }
    return nil
  }
}
