import Synchronization

/// The bytes of request bodies that a process holds until all of each has come.
///
/// Where the room is taken no body grows large. Small ones are taken all the same, so that a client that fills the room
/// keeps no other's messages out.
package final class BodyBudget: Sendable {
  /// The bytes of one body, which are given back when nobody holds it.
  final class Share {
    private let budget: BodyBudget
    private var bytes = 0

    fileprivate init(_ budget: BodyBudget) { self.budget = budget }

    deinit { budget.held.withLock { $0 -= bytes } }

    /// Whether the body may have so many bytes more, which count from then on.
    func grow(by count: Int) -> Bool {
      let isRoom = budget.held.withLock { held in
        guard bytes + count <= BodyBudget.small || held + count <= budget.limit else { return false }
        held += count
        return true
      }
      if isRoom { bytes += count }
      return isRoom
    }
  }

  /// The process's own.
  package static let shared = BodyBudget(bytes: 256 << 20)

  /// The most that a body may have where there is no room.
  static let small = 64 << 10

  private let limit: Int
  private let held = Mutex(0)

  package init(bytes: Int) { limit = bytes }

  /// The bytes that are held.
  package var bytes: Int { held.withLock { $0 } }

  func share() -> Share { Share(self) }
}
