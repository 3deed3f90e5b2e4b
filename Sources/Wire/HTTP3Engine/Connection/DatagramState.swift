/// The HTTP Datagrams of one connection (RFC 9297) in QUIC's DATAGRAM frames (RFC 9221): those that wait to be sent, and how
/// many wait to be taken. What is lost does not come again.
struct DatagramState {
  /// The number of datagrams that may wait for the congestion window or for pacing; one that waits long is of little
  /// use to its receiver.
  static let waitingLimit = 128
  static let byteLimit = 128 << 10
  /// Events that the owner has not taken yet.
  static let receivedLimit = 1_024

  /// The state of the request that a datagram belongs to.
  enum Request {
    /// The stream is not open, or no longer.
    case gone
    /// Nothing of it has left, so that a server does not know the stream that the datagram would name.
    case unsent
    case open
  }

  /// The next step for the datagram that waits longest.
  enum Next: Equatable {
    case nothing
    case send(frame: [UInt8])
  }

  private var waiting = Queue<HTTPDatagram>()
  private var byteCount = 0
  private var receivedCount = 0

  // MARK: Sizes

  /// The largest frame's contents (RFC 9221 § 3): what fits a packet beside the frame's type and length, and what the peer
  /// takes; nil where it takes none.
  static func frameLimit(payload: Int, peer: UInt64) -> Int? {
    guard peer > 0 else { return nil }
    // A short header with the longest id and number, and the tag.
    let packet = payload - (1 + 20 + 4 + 16)
    return min(packet, Int(clamping: peer)) - 3
  }

  /// The largest payload on a stream.
  static func payloadLimit(on id: StreamID, frameLimit: Int) -> Int {
    max(0, frameLimit - HTTPDatagram(stream: id, payload: []).frame.count)
  }

  // MARK: Sending

  /// Takes a datagram to be sent before all stream data.
  ///
  /// - Parameters:
  ///   - limit: the largest payload; nil where datagrams were not agreed on.
  ///   - isWritable: whether the request may still be written to.
  mutating func send(
    _ payload: [UInt8], on id: StreamID, limit: Int?, isWritable: @autoclosure () -> Bool
  ) throws(HTTP3Error) {
    guard let limit else {
      throw HTTP3Error(.datagramsUnavailable, "The peer takes no datagrams, or has not said yet that it does.")
    }
    guard isWritable() else { throw HTTP3Error(.streamClosed, "Stream \(id) takes no more.") }
    guard payload.count <= limit else {
      throw HTTP3Error(
        .datagramTooLarge, "A datagram of \(payload.count) bytes does not fit a packet; \(limit) is the most now.")
    }
    guard waiting.count < Self.waitingLimit, byteCount < Self.byteLimit else {
      throw HTTP3Error(.datagramQueueFull, "Too many datagrams wait to be sent; drop some of them.")
    }
    byteCount += payload.count
    waiting.append(HTTPDatagram(stream: id, payload: payload))
  }

  /// The frame that goes out next. One whose request has ended, or that the path has become too narrow for, is lost like
  /// any other that was too late.
  mutating func next(frameLimit: () -> Int?, request: (StreamID) -> Request) -> Next {
    while let datagram = waiting.first {
      let frame = datagram.frame
      switch request(datagram.stream) {
      case .open where frame.count <= frameLimit() ?? -1: return .send(frame: frame)
      case .unsent where frame.count <= frameLimit() ?? -1: return .nothing
      case .gone, .open, .unsent: removeFirst()
      }
    }
    return .nothing
  }

  /// The frame was put into a packet.
  mutating func didSend() { removeFirst() }

  private mutating func removeFirst() { byteCount -= waiting.popFirst()?.payload.count ?? 0 }

  /// Forgets those of one stream, or of all.
  mutating func removeAll(of stream: StreamID? = nil) {
    var rest = Queue<HTTPDatagram>()
    byteCount = 0
    while let datagram = waiting.popFirst() {
      guard let stream, datagram.stream != stream else { continue }
      byteCount += datagram.payload.count
      rest.append(datagram)
    }
    waiting = rest
  }

  // MARK: Receiving

  /// Takes a frame; nil for one that is dropped, as those are that name a stream that is not open, or not yet, and those
  /// that nobody takes (RFC 9297 § 2.1).
  mutating func receive(
    _ frame: UnsafeRawBufferPointer, isReading: (StreamID) -> Bool
  ) throws(HTTP3Error) -> HTTPDatagram? {
    guard let datagram = HTTPDatagram(frame: frame) else {
      throw HTTP3Error(
        .application(.datagramError), "The peer sent a datagram that names no stream (H3_DATAGRAM_ERROR).")
    }
    guard isReading(datagram.stream), receivedCount < Self.receivedLimit else { return nil }
    receivedCount += 1
    return datagram
  }

  /// The owner has taken one that was received.
  mutating func didTake() { receivedCount -= 1 }
}
