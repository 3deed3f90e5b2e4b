/// Cuts a client's control stream for the library, and finds in it what the library would misread.
///
/// A piece that ends right behind a PRIORITY_UPDATE's element id makes nghttp3 (1.8) continue as if more had come and
/// fail an assertion (`lib/nghttp3_conn.c:983`), which ends the process. Nine bytes do, and an honest client's packet
/// may end there too. Fixed in 1.10.
struct ClientControlStream {
  enum Reading: Equatable {
    /// The bytes as they are.
    case asReceived
    /// The bytes with the one before them that was held back, or without the last one, as the cut is at the wrong
    /// place.
    case pieces([UInt8])
    case breach(Breach)
  }

  /// A frame that the library would misread, or refuse with another code than it should.
  enum Breach: Equatable {
    /// GOAWAY or MAX_PUSH_ID with more than an id in it, behind which the library reads on as if a frame began there
    /// (RFC 9114 § 7.1).
    case malformed
    /// CANCEL_PUSH, of whatever push: we promise none (RFC 9114 § 7.2.3). The library says H3_FRAME_UNEXPECTED.
    case unknownPush
    /// MAX_PUSH_ID below an earlier one (RFC 9114 § 7.2.7). The library says H3_FRAME_ERROR.
    case fallingPushID

    var error: HTTP3Error {
      switch self {
      case .malformed:
        HTTP3Error(.application(.frameError), "The client's GOAWAY or MAX_PUSH_ID holds more than an id.")
      case .unknownPush:
        HTTP3Error(.application(.idError), "The client cancelled a push that was not promised.")
      case .fallingPushID:
        HTTP3Error(.application(.idError), "The client's MAX_PUSH_ID is lower than the one before.")
      }
    }
  }

  private enum FrameType {
    static let cancelPush: UInt64 = 0x03
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
  private var maxPushID: UInt64 = 0
  /// SETTINGS, or what is in its place, has begun. Without it the first frame is the library's to refuse.
  private var hasFrame = false

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
      switch advance(byte) {
      case .within: isCutBehindID = false
      case .endOfElementID: isCutBehindID = true
      case .breach(let breach): return .breach(breach)
      }
    }
    guard held != nil || isCutBehindID, let last = bytes.last else { return .asReceived }
    let before = held.map { [$0] } ?? []
    held = isCutBehindID ? last : nil
    return .pieces(before + (isCutBehindID ? bytes.dropLast() : bytes[...]))
  }

  private enum Step {
    case within
    /// A PRIORITY_UPDATE's element id ends here, and its value is to come.
    case endOfElementID
    case breach(Breach)
  }

  /// Takes one byte.
  private mutating func advance(_ byte: UInt8) -> Step {
    if case .payload = state { state = .frameType }
    if case .id(let type, let left) = state {
      guard left > 0 else {
        // The library refuses a frame that ends within its id.
        state = .other
        return .within
      }
      state = .id(type: type, left: left - 1)
    }
    guard let value = complete(byte) else { return .within }
    switch state {
    case .streamType: state = value == 0x00 ? .frameType : .other
    case .frameType:
      // The library refuses the type before it has the id.
      if value == FrameType.cancelPush, hasFrame { return .breach(.unknownPush) }
      state = .frameLength(type: value)
    case .frameLength(let type):
      let beginsWithID =
        type == FrameType.goAway || type == FrameType.maxPushID || FrameType.priorityUpdates.contains(type)
      hasFrame = true
      state = beginsWithID ? .id(type: type, left: value) : .payload(left: value)
    case .id(let type, let left):
      state = .payload(left: left)
      return idDidEnd(value, of: type, left: left)
    case .payload, .other: break
    }
    return .within
  }

  private mutating func idDidEnd(_ id: UInt64, of type: UInt64, left: UInt64) -> Step {
    if FrameType.priorityUpdates.contains(type) { return left > 0 ? .endOfElementID : .within }
    guard left == 0 else { return .breach(.malformed) }
    if type == FrameType.maxPushID {
      guard id >= maxPushID else { return .breach(.fallingPushID) }
      maxPushID = id
    }
    return .within
  }

  /// The variable-length integer that ends with the byte.
  private mutating func complete(_ byte: UInt8) -> UInt64? {
    let begun = number ?? (value: 0, left: 1 << Int(byte >> 6))
    let value = number == nil ? UInt64(byte & 0x3f) : begun.value << 8 | UInt64(byte)
    number = begun.left == 1 ? nil : (value, begun.left - 1)
    return number == nil ? value : nil
  }
}
