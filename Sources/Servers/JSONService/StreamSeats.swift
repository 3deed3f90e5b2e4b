import Synchronization

/// Counts the event streams that are open, for each client and in sum.
package final class StreamSeats: Sendable {
  /// One stream's place; free once it is left, or gone.
  package final class Seat: Sendable {
    private let seats: StreamSeats
    private let client: String
    private let isTaken = Mutex(true)

    fileprivate init(_ seats: StreamSeats, _ client: String) {
      self.seats = seats
      self.client = client
    }

    package func leave() {
      let wasTaken = isTaken.withLock { taken in
        defer { taken = false }
        return taken
      }
      if wasTaken { seats.free(client) }
    }

    deinit { leave() }
  }

  private let limitPerClient: Int
  private let limit: Int

  private struct State {
    var taken: [String: Int] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  package init(limitPerClient: Int, limit: Int) {
    self.limitPerClient = limitPerClient
    self.limit = limit
  }

  /// A place for a stream of a client; nil where there is none.
  package func take(for client: String) -> Seat? {
    let isFree = state.withLock { state in
      guard state.taken[client, default: 0] < limitPerClient, state.count < limit else { return false }
      state.taken[client, default: 0] += 1
      state.count += 1
      return true
    }
    return isFree ? Seat(self, client) : nil
  }

  package var count: Int { state.withLock { $0.count } }

  private func free(_ client: String) {
    state.withLock { state in
      state.count -= 1
      state.taken[client, default: 1] -= 1
      if state.taken[client] == 0 { state.taken[client] = nil }
    }
  }
}
