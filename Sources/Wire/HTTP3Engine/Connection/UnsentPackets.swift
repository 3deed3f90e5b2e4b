import CQUIC

/// Packets that are written and never sent, one of many thousands, which show a peer that acknowledges what it has not
/// received: it would have the congestion window grow beyond all that its path carries (RFC 9000 § 21.4).
///
/// From 1.12 on ngtcp2 leaves packet numbers out, which costs nothing; 1.11 has no way to, and its numbers can be foretold.
/// What is kept back is to an honest peer a packet that was lost: those behind it in the same batch show that within a
/// round trip, its frames are sent again, and the window shrinks as for any loss. So it is done where a connection has
/// carried many megabytes, and where it sends many datagrams at once.
struct UnsentPackets {
  /// Bytes before the first one may come; three times as many on average lie between two.
  static let span: UInt64 = 16 << 20
  /// The place in a batch, and the datagrams behind it there: three that arrive show the loss (RFC 9002 § 6.1.1).
  static let (place, followers) = (2, 9)
  private static let mostRemembered = 16

  private enum State {
    /// So many bytes are to be sent before a number is drawn.
    case counting(UInt64)
    /// So many bytes are to be sent before the next packet is kept back, which nobody can foretell.
    case waiting(UInt64)
    case due
  }

  /// The numbers of those that were kept back last.
  private(set) var numbers: [UInt64] = []
  private let span: UInt64
  private let random: RandomSource
  private var state: State

  init(span: UInt64, random: RandomSource) {
    self.span = span
    self.random = random
    state = .counting(span)
  }

  /// Whether the next batch that is large enough loses one.
  var isDue: Bool { if case .due = state { true } else { false } }

  mutating func didSend(byteCount: Int) {
    switch state {
    case .counting(let left):
      state = left > byteCount ? .counting(left - UInt64(byteCount)) : .waiting(upTo(2 * span))
    case .waiting(let left): state = left > byteCount ? .waiting(left - UInt64(byteCount)) : .due
    case .due: break
    }
  }

  /// The last bytes of the number of the packet that this thread's last library call has written, and how many they are.
  static var lastWritten: (number: UInt64, length: Int) {
    var length: UInt8 = 0
    let number = CQUIC_sealed_number(&length)
    return (UInt64(number), Int(length))
  }

  /// Notes one that was kept back.
  mutating func add(_ number: UInt64) {
    if numbers.count == Self.mostRemembered { numbers.removeFirst() }
    numbers.append(number)
    state = .waiting(span + upTo(4 * span))
  }

  private func upTo(_ limit: UInt64) -> UInt64 {
    random.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } % max(limit, 1)
  }
}
