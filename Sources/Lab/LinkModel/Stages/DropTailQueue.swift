/// The queue before the rate. It only accounts: the start of a packet's transmission is known on arrival.
///
/// The packet in transmission does not wait, as in a network card and in ns-3.
struct DropTailQueue: Sendable {
  private struct Waiting: Sendable {
    var begins: Int64
    var size: Int
  }

  private let limitBytes: Int
  private let limitPackets: Int
  private var waiting: [Waiting] = []
  /// The index in `waiting` at which the queue begins; entries before it are gone.
  private var head = 0
  private(set) var bytes = 0

  init(limitBytes: Int?, limitPackets: Int?) {
    self.limitBytes = limitBytes ?? .max
    self.limitPackets = limitPackets ?? .max
  }

  var packets: Int { waiting.count - head }

  /// Removes the packets whose transmission has begun.
  mutating func advance(to now: Int64) {
    while head < waiting.count, waiting[head].begins <= now {
      bytes -= waiting[head].size
      head += 1
    }
    // Moving the rest down costs as much as was taken out since the last time.
    if head == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 1024, head * 2 >= waiting.count {
      waiting.removeFirst(head)
      head = 0
    }
  }

  /// Whether a packet that must wait finds room.
  func hasRoom(for size: Int) -> Bool { bytes <= limitBytes - size && packets < limitPackets }

  /// Appends a packet whose transmission begins later than now.
  mutating func append(size: Int, begins: Int64) {
    waiting.append(Waiting(begins: begins, size: size))
    bytes += size
  }
}
