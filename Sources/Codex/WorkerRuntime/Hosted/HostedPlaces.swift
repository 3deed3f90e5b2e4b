import Synchronization

/// Counts the workers that a runtime hosts at one time.
final class HostedPlaces: Sendable {
  /// There is no place for a worker that a client asks for.
  struct Full: Error, CustomStringConvertible {
    let limit: Int

    var description: String { "this runtime hosts \(limit) workers, which is the most; stop one" }
  }

  let limit: Int
  private let taken = Mutex(0)

  init(limit: Int) { self.limit = limit }

  /// Returns false where all are taken; else the caller gives one back.
  func take() -> Bool {
    taken.withLock { taken in
      guard taken < limit else { return false }
      taken += 1
      return true
    }
  }

  func giveBack() { taken.withLock { $0 -= 1 } }
}
