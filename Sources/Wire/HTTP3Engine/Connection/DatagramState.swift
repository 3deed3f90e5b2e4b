/// The datagrams of one connection that wait, to be sent and to be taken.
struct DatagramState {
  /// Those that wait for the congestion window or for pacing; what waits long is of little use to whom it is for.
  static let waitingLimit = 128
  static let byteLimit = 128 << 10
  /// Events that the owner has not taken yet.
  static let receivedLimit = 1_024

  private(set) var waiting = Queue<HTTPDatagram>()
  private var byteCount = 0
  /// Received ones among the events.
  var receivedCount = 0

  var hasRoom: Bool { waiting.count < Self.waitingLimit && byteCount < Self.byteLimit }

  mutating func append(_ datagram: HTTPDatagram) {
    byteCount += datagram.payload.count
    waiting.append(datagram)
  }

  mutating func removeFirst() {
    byteCount -= waiting.popFirst()?.payload.count ?? 0
  }

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
}
