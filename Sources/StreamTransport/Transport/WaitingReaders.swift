import HTTP3Engine

/// Bodies with new bytes whose reader waits; on the thread that receives.
///
/// To wake a reader is a switch of threads, which costs as much as dozens of packets. So it is woken once for all that a
/// turn of the loop brought, and while bytes flow once for what comes within a short time: a download takes a tenth less
/// processor time. Bytes after a pause are handed on at once.
struct WaitingReaders {
  /// So much is not held back: a quarter of a stream's window, as more would hold the peer up.
  static let mostBytes = 256 << 10
  static let mostBodies = 64

  private let pause: Duration
  private var bodies: [BodyChannel] = []
  private var bytes = 0
  private var wokenAt: Timestamp?

  /// - Parameter pause: at least so much is between two wakings, unless there is much to read.
  init(pause: Duration) {
    self.pause = pause
  }

  /// Adds bytes to a body.
  mutating func add(_ piece: [UInt8], to body: BodyChannel) {
    guard body.add(piece) else { return }
    bytes += piece.count
    if body !== bodies.last { bodies.append(body) }
  }

  /// Wakes all, or answers when it is time to.
  mutating func wake(at now: Timestamp) -> Timestamp? {
    guard !bodies.isEmpty else { return nil }
    if let wokenAt, now < wokenAt + pause, bytes < Self.mostBytes, bodies.count < Self.mostBodies {
      return wokenAt + pause
    }
    for body in bodies { body.wakeReader() }
    bodies.removeAll(keepingCapacity: true)
    bytes = 0
    wokenAt = now
    return nil
  }
}
