import Synchronization

/// The memory that keeps a server from taking the same early data twice, on whichever of its loops it comes.
final class EarlyDataMemory: Sendable {
  /// The name of a handshake: 16 bytes of its ClientHello's binder, which is the output of a keyed hash. Two that
  /// are alike by chance cost the later one its early data.
  struct Name: Hashable {
    var first: UInt64 = 0
    var second: UInt64 = 0
  }

  /// The memory's answer about a handshake with early data.
  enum Answer {
    case new
    case replayed
    /// There is no room to remember it, so its early data must not be taken.
    case full
  }

  private struct State {
    var used: Set<Name> = []
    /// The same in the order of their ends, which are seconds since 1970.
    var ends = Queue<(name: Name, end: UInt32)>()
  }

  private let capacity: Int
  private let state = Mutex(State())

  /// - Parameter capacity: ``ServerConfiguration/earlyDataMemory``.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Whether a handshake is the first of its name among those that have not ended.
  func remember(_ name: Name, until end: Int) -> Answer {
    // What ended before this use began is forgotten; GnuTLS no longer asks for it.
    let now = end - Int(SessionTickets.lifetime)
    return state.withLock { state -> Answer in
      while let first = state.ends.first, first.end < max(now, 0) {
        state.used.remove(first.name)
        _ = state.ends.popFirst()
      }
      guard !state.used.contains(name) else { return .replayed }
      guard state.used.count < capacity else { return .full }
      state.used.insert(name)
      state.ends.append((name, UInt32(clamping: end)))
      return .new
    }
  }
}
