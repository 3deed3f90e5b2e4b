/// The bytes of one response's content that the peer may not have: when they were sent, and which are to be sent once more.
///
/// A byte rides along with a later packet at most once; where hedging was asked for, it is also sent once in a packet of
/// its own when nothing has carried it within the delay. Beside them a packet has a copy of its
/// own bytes as long as earlier ones are not acknowledged: if one of those is lost, the stream is held up behind the hole and
/// its bytes are not. Only a thin response's are repeated.
struct RepeatLedger {
  /// Content that may be sent or wait and not be acknowledged: with more, later bytes reveal a loss soon enough, and the
  /// windows matter.
  static let outstandingLimit = 8 << 10
  /// The content of a thin response in a second, and what it may send at once.
  static let bytesPerSecond = 64 << 10
  static let burst = 16 << 10
  /// Packets whose content is remembered.
  static let segmentLimit = 128

  /// The content in one packet.
  private struct Segment {
    var range: Range<UInt64>
    let packet: UInt64
    let sentAt: Timestamp
    var isCopied = false
    var hasRidden = false
    var isHedged = false
    /// Acknowledged as a repeat.
    var hasArrived = false

    /// Whether nothing has repeated it, or needs to.
    var waitsForHedge: Bool { !hasRidden && !isHedged && !hasArrived }
  }

  /// The delay after which bytes that nothing has repeated get a packet of their own; nil for never.
  let hedge: Duration?
  private var segments: [Segment] = []
  /// The bytes sent of late, which drain by ``bytesPerSecond``.
  private var level = 0.0
  private var levelAt: Timestamp?

  init(hedge: Duration?) { self.hedge = hedge }

  // MARK: What was sent, and what arrived

  /// A packet took content of a response with no more outstanding than ``outstandingLimit``.
  mutating func didSend(_ range: Range<UInt64>, in packet: UInt64, at now: Timestamp) {
    raiseLevel(by: range.count, at: now)
    guard level <= Double(Self.burst) else { return segments.removeAll() }
    if segments.count == Self.segmentLimit { segments.removeFirst() }
    segments.append(Segment(range: range, packet: packet, sentAt: now))
  }

  /// A packet took bytes of a response with more outstanding than that.
  mutating func passOver(_ count: Int, at now: Timestamp) {
    raiseLevel(by: count, at: now)
    segments.removeAll()
  }

  private mutating func raiseLevel(by count: Int, at now: Timestamp) {
    let seconds = levelAt.map { Double((now - $0).nanosecondsClamped) / 1e9 } ?? 0
    level = max(0, level - seconds * Double(Self.bytesPerSecond)) + Double(count)
    // After a second of silence it is a thin one, however much there was before.
    level = min(level, Double(Self.burst + Self.bytesPerSecond))
    levelAt = now
  }

  /// The peer has all of the content up to this place. Returns the time at which the first of what is new in that was
  /// sent, if it is remembered.
  @discardableResult
  mutating func didAcknowledge(upTo place: UInt64) -> Timestamp? {
    guard let oldest = segments.first, oldest.range.lowerBound < place else { return nil }
    segments.removeAll { $0.range.upperBound <= place }
    if let first = segments.first, first.range.lowerBound < place {
      segments[0].range = place..<first.range.upperBound
    }
    return oldest.sentAt
  }

  /// A datagram with these bytes was acknowledged.
  mutating func didArrive(_ range: Range<UInt64>) {
    for index in segments.indices where range.contains(segments[index].range) { segments[index].hasArrived = true }
  }

  // MARK: What is repeated

  /// Takes the next bytes that ride along with a packet, or a copy of the packet's own behind others that are not
  /// acknowledged; nil for none.
  ///
  /// - Parameter room: the most bytes that fit; what follows them is not repeated either.
  mutating func takeRide(in packet: UInt64, room: Int) -> Range<UInt64>? {
    let isFirst = segments.first?.packet == packet
    return take(room: room) { segment in
      if segment.packet == packet {
        defer { segment.isCopied = true }
        return !isFirst && !segment.isCopied
      }
      defer { segment.hasRidden = true }
      return !segment.hasRidden
    }
  }

  /// Gives up what was to ride along with a packet and found no room.
  mutating func dropRides(in packet: UInt64) {
    while takeRide(in: packet, room: .max) != nil {}
  }

  /// The time at which bytes get a packet of their own.
  var hedgeDeadline: Timestamp? {
    guard let hedge else { return nil }
    // In the order in which they were sent.
    return segments.first { $0.waitsForHedge }.map { $0.sentAt + hedge }
  }

  /// Takes the next bytes for a packet of their own; nil for none. Those that will be due within half of the delay share
  /// it.
  mutating func takeHedge(at now: Timestamp, room: Int) -> Range<UInt64>? {
    guard let hedge else { return nil }
    return take(room: room) { segment in
      guard segment.waitsForHedge, segment.sentAt + hedge / 2 <= now else { return false }
      segment.isHedged = true
      return true
    }
  }

  /// Gives up what was due and could not be sent.
  mutating func dropHedges(at now: Timestamp) {
    guard let deadline = hedgeDeadline, deadline <= now else { return }
    while takeHedge(at: now, room: .max) != nil {}
  }

  /// Takes the first bytes in one piece for which `mark` says so, and as many as follow without a gap.
  private mutating func take(room: Int, _ mark: (inout Segment) -> Bool) -> Range<UInt64>? {
    guard room > 0 else { return nil }
    var taken: Range<UInt64>?
    for index in segments.indices where !segments[index].hasArrived {
      if let taken {
        guard segments[index].range.lowerBound == taken.upperBound, taken.count < room else { break }
      }
      guard mark(&segments[index]) else {
        if taken == nil { continue } else { break }
      }
      taken = (taken?.lowerBound ?? segments[index].range.lowerBound)..<segments[index].range.upperBound
    }
    return taken.map { $0.lowerBound..<min($0.upperBound, $0.lowerBound + UInt64(clamping: room)) }
  }
}

extension Range<UInt64> {
  fileprivate func contains(_ other: Self) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}
