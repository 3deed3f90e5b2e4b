import Synchronization

/// Counts the connections of a control socket.
final class ControlSlots: Sendable {
  private let limit: Int
  private let taken = Mutex(0)

  init(limit: Int) { self.limit = limit }

  /// Whether there was one left; then it is to be given back.
  func take() -> Bool {
    taken.withLock { taken in
      guard taken < limit else { return false }
      taken += 1
      return true
    }
  }

  func giveBack() { taken.withLock { $0 -= 1 } }
}
