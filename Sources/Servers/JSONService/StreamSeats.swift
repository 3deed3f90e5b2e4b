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

  private let taken = Mutex<[String: Int]>([:])

  package init(limitPerClient: Int, limit: Int) {
    self.limitPerClient = limitPerClient
    self.limit = limit
  }

  /// A place for a stream of a client; nil where there is none.
  package func take(for client: String) -> Seat? {
    let isFree = taken.withLock { taken in
      guard taken[client, default: 0] < limitPerClient, taken.values.reduce(0, +) < limit else {
        return false
      }
      taken[client, default: 0] += 1
      return true
    }
    return isFree ? Seat(self, client) : nil
  }

  package var count: Int { taken.withLock { $0.values.reduce(0, +) } }

  private func free(_ client: String) {
    taken.withLock { taken in
      taken[client, default: 1] -= 1
      if taken[client] == 0 { taken[client] = nil }
    }
  }
}
