import Synchronization

/// Bounds how many large bodies are held at one time.
final class BodyRoom: Sendable {
  /// A body's place.
  struct Place: Sendable {
    fileprivate let room: BodyRoom

    func leave() { room.taken.withLock { $0 -= 1 } }
  }

  private let limit: Int
  private let taken = Mutex(0)

  init(limit: Int = 4) { self.limit = limit }

  /// Nil where there is no room.
  func take() -> Place? {
    let isFree = taken.withLock { taken in
      guard taken < limit else { return false }
      taken += 1
      return true
    }
    return isFree ? Place(room: self) : nil
  }
}
