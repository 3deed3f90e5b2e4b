/// Keeps a client's PRIORITY_UPDATE frame from reaching the library in pieces of which one ends right behind the element
/// id: nghttp3 (1.8) goes on as if more had come and meets an assertion (`lib/nghttp3_conn.c:983`), which ends the
/// process. Nine bytes do, and an honest client's packet may end there too. Mended in 1.10.
struct PriorityUpdatePieces {
  private enum State {
    case streamType
    case frameType
    case frameLength(isPriorityUpdate: Bool)
    /// `left` bytes of the frame's payload are to come, the element id's among them.
    case elementID(left: UInt64)
    case payload(left: UInt64)
    /// A stream of instructions, not of frames.
    case other
  }

  private var state = State.streamType
  /// A variable-length integer that is not complete (RFC 9000 § 16): its value so far and the bytes to come.
  private var number: (value: UInt64, left: Int)?
  private var held: UInt8?

  /// What the library may read of the stream now, where that is something else than `bytes`: with the byte before them
  /// that was held back, and without the last one where the cut is at the wrong place. Nil for `bytes` as they are.
  mutating func pieces(of bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    if case .other = state { return nil }
    var rest = bytes[...]
    var isCutBehindID = false
    while let byte = rest.first {
      if case .payload(let left) = state, left > 0 {
        let taken = min(left, UInt64(rest.count))
        state = .payload(left: left - taken)
        rest = rest.dropFirst(Int(taken))
        isCutBehindID = false
        continue
      }
      rest = rest.dropFirst()
      isCutBehindID = advance(byte)
    }
    guard held != nil || isCutBehindID, let last = bytes.last else { return nil }
    let before = held.map { [$0] } ?? []
    held = isCutBehindID ? last : nil
    return before + (isCutBehindID ? bytes.dropLast() : bytes[...])
  }

  /// Takes one byte; whether an element id ends with it and its value is to come.
  private mutating func advance(_ byte: UInt8) -> Bool {
    if case .payload = state { state = .frameType }
    if case .elementID(let left) = state {
      guard left > 0 else {
        // The library refuses a frame that ends within its element id.
        state = .other
        return false
      }
      state = .elementID(left: left - 1)
    }
    let begun = number ?? (value: 0, left: 1 << Int(byte >> 6))
    let value = number == nil ? UInt64(byte & 0x3f) : begun.value << 8 | UInt64(byte)
    guard begun.left == 1 else {
      number = (value, begun.left - 1)
      return false
    }
    number = nil
    switch state {
    case .streamType: state = value == 0x00 ? .frameType : .other
    case .frameType: state = .frameLength(isPriorityUpdate: value == 0xf0700 || value == 0xf0701)
    case .frameLength(let isPriorityUpdate):
      state = isPriorityUpdate ? .elementID(left: value) : .payload(left: value)
    case .elementID(let left):
      state = .payload(left: left)
      return left > 0
    case .payload, .other: break
    }
    return false
  }
}
