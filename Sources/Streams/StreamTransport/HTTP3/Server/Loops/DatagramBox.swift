import HTTP3Engine
import Synchronization

/// Datagrams that wait for one loop, received by others; at most as many as a socket's buffer would hold.
final class DatagramBox: Sendable {
  struct Datagram: Sendable {
    let bytes: [UInt8]
    let path: NetworkPath
    let ecn: ECNCodepoint
  }

  private enum State {
    /// The loop takes none, not yet or not any more.
    case closed
    case open(waiting: [Datagram], byteCount: Int, notify: @Sendable () -> Void)
  }

  /// What comes beyond either limit is lost, as at a socket whose buffer is full.
  static let (mostDatagrams, mostBytes) = (1_024, 2 << 20)

  private let state = Mutex(State.closed)

  /// Takes datagrams from now on.
  ///
  /// - Parameter notify: called on any thread when there is something to take after there was nothing.
  func open(_ notify: @escaping @Sendable () -> Void) {
    state.withLock { $0 = .open(waiting: [], byteCount: 0, notify: notify) }
  }

  func close() {
    state.withLock { $0 = .closed }
  }

  /// Puts a datagram in; false where it is lost.
  func put(_ datagram: Datagram) -> Bool {
    let (isTaken, notify) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      guard case .open(var waiting, let byteCount, let notify) = state, waiting.count < Self.mostDatagrams,
        byteCount + datagram.bytes.count <= Self.mostBytes
      else { return (false, nil) }
      let isFirst = waiting.isEmpty
      // The array in the state would be a second owner, and be copied.
      state = .closed
      waiting.append(datagram)
      state = .open(waiting: waiting, byteCount: byteCount + datagram.bytes.count, notify: notify)
      return (true, isFirst ? notify : nil)
    }
    notify?()
    return isTaken
  }

  /// Takes all that wait, the oldest first.
  func takeAll() -> [Datagram] {
    state.withLock { state -> [Datagram] in
      guard case .open(let waiting, _, let notify) = state else { return [] }
      state = .open(waiting: [], byteCount: 0, notify: notify)
      return waiting
    }
  }
}
