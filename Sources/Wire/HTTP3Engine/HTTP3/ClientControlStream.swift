/// Cuts a client's control stream for the library, and finds in it what the library would misread.
///
/// A piece that ends right behind a PRIORITY_UPDATE's element id makes nghttp3 (1.8) go on as if more had come and meet an
/// assertion (`lib/nghttp3_conn.c:983`), which ends the process. Nine bytes do, and an honest client's packet may end there
/// too. Mended in 1.10.
struct ClientControlStream {
  enum Reading: Equatable {
    /// The bytes as they are.
    case asReceived
    /// With the byte before them that was held back, or without the last one, as the cut is at the wrong place.
    case pieces([UInt8])
    /// GOAWAY or MAX_PUSH_ID with more than an id in it, behind which the library reads on as if a frame began there
    /// (RFC 9114 § 7.1).
    case malformed
  }

  private enum FrameType {
    static let goAway: UInt64 = 0x07
    static let maxPushID: UInt64 = 0x0d
    static let priorityUpdates: Set<UInt64> = [0xf0700, 0xf0701]
  }

  private enum State {
    case streamType
    case frameType
    case frameLength(type: UInt64)
    /// `left` bytes of the frame's payload are to come, the id's that it begins with among them.
    case id(type: UInt64, left: UInt64)
    case payload(left: UInt64)
    /// A stream of instructions, not of frames.
    case other
  }

  private var state = State.streamType
  /// A variable-length integer that is not complete (RFC 9000 § 16): its value so far and the bytes to come.
  private var number: (value: UInt64, left: Int)?
  private var held: UInt8?

  /// Returns the part of the stream that the library may read now.
  mutating func read(_ bytes: UnsafeRawBufferPointer) -> Reading {
    if case .other = state { return .asReceived }
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
      guard let isEndOfID = advance(byte) else { return .malformed }
      isCutBehindID = isEndOfID
    }
    guard held != nil || isCutBehindID, let last = bytes.last else { return .asReceived }
    let before = held.map { [$0] } ?? []
    held = isCutBehindID ? last : nil
    return .pieces(before + (isCutBehindID ? bytes.dropLast() : bytes[...]))
  }

  /// Takes one byte: whether a PRIORITY_UPDATE's element id ends with it and its value is to come; nil for a frame that
  /// holds more than its id.
  private mutating func advance(_ byte: UInt8) -> Bool? {
    if case .payload = state { state = .frameType }
    if case .id(let type, let left) = state {
      guard left > 0 else {
        // The library refuses a frame that ends within its id.
        state = .other
        return false
      }
      state = .id(type: type, left: left - 1)
    }
    guard let value = complete(byte) else { return false }
    switch state {
    case .streamType: state = value == 0x00 ? .frameType : .other
    case .frameType: state = .frameLength(type: value)
    case .frameLength(let type):
      let beginsWithID =
        type == FrameType.goAway || type == FrameType.maxPushID || FrameType.priorityUpdates.contains(type)
      state = beginsWithID ? .id(type: type, left: value) : .payload(left: value)
    case .id(let type, let left):
      state = .payload(left: left)
      guard FrameType.priorityUpdates.contains(type) else { return left == 0 ? false : nil }
      return left > 0
    case .payload, .other: break
    }
    return false
  }

  /// The variable-length integer that ends with the byte.
  private mutating func complete(_ byte: UInt8) -> UInt64? {
    let begun = number ?? (value: 0, left: 1 << Int(byte >> 6))
    let value = number == nil ? UInt64(byte & 0x3f) : begun.value << 8 | UInt64(byte)
    number = begun.left == 1 ? nil : (value, begun.left - 1)
    return number == nil ? value : nil
  }
}
