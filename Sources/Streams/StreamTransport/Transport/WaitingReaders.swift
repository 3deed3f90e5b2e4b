import HTTP3Engine

/// Bodies with new bytes whose reader waits; on the thread that receives.
///
/// To wake a reader is a switch of threads, which costs as much as dozens of packets. So it is woken once for all that a
/// turn of the loop brought, and while bytes flow once for what comes within a short time: a download takes a tenth less
/// processor time. Events, which come few at a time, are handed on at once.
struct WaitingReaders {
  static let mostBodies = 64
  /// So many bytes within one pause are a flow.
  static let flow = 16 << 10

  private let pause: Duration
  private let mostBytes: Int
  private var bodies: [BodyChannel] = []
  private var bytes = 0
  private var wokenAt: Timestamp?
  /// Bytes that came and since when, and whether the time before was a flow.
  private var counted = 0
  private var countedSince: Timestamp?
  private var isFlowing = false

  /// - Parameters:
  ///   - pause: while bytes flow, at least so much is between two wakings.
  ///   - mostBytes: so much is not held back; a quarter of a stream's window at most, as more would hold the peer up.
  init(pause: Duration, mostBytes: Int) {
    self.pause = pause
    self.mostBytes = mostBytes
  }

  /// Adds bytes to a body.
  mutating func add(_ piece: [UInt8], to body: BodyChannel) {
    counted += piece.count
    let demand = body.add(piece)
    if demand == .first { bodies.append(body) }
    if demand != .none { bytes += piece.count }
  }

  /// Wakes all, or answers when it is time to.
  mutating func wake(at now: Timestamp) -> Timestamp? {
    if counted > 0 { estimate(at: now) }
    guard !bodies.isEmpty else { return nil }
    if isFlowing, let wokenAt, now < wokenAt + pause, bytes < mostBytes, bodies.count < Self.mostBodies {
      return wokenAt + pause
    }
    for body in bodies { body.wakeReader() }
    bodies.removeAll(keepingCapacity: bodies.count <= Self.mostBodies)
    bytes = 0
    wokenAt = now
    return nil
  }

  private mutating func estimate(at now: Timestamp) {
    let since = countedSince ?? now
    if countedSince != nil, now < since + pause { return }
    isFlowing = countedSince != nil && counted >= Self.flow && now < since + pause + pause
    counted = 0
    countedSince = now
  }
}
