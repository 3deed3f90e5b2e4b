import Synchronization

/// Counts the event streams that are open, for each device and in sum, and ends them all at the end.
final class StreamSeats: Sendable {
  /// One stream's place; free once it is left, or gone.
  final class Seat: Sendable {
    private let seats: StreamSeats
    private let device: String
    private let isTaken = Mutex(true)

    fileprivate init(_ seats: StreamSeats, _ device: String) {
      self.seats = seats
      self.device = device
    }

    func leave() {
      let wasTaken = isTaken.withLock { taken in
        defer { taken = false }
        return taken
      }
      if wasTaken { seats.free(device) }
    }

    deinit { leave() }
  }

  static let limitPerDevice = 16
  static let limit = 512

  private let taken = Mutex<[String: Int]>([:])

  /// A place for a stream of a device; nil where there is none.
  func take(for device: String) -> Seat? {
    let isFree = taken.withLock { taken in
      guard taken[device, default: 0] < Self.limitPerDevice, taken.values.reduce(0, +) < Self.limit else {
        return false
      }
      taken[device, default: 0] += 1
      return true
    }
    return isFree ? Seat(self, device) : nil
  }

  var count: Int { taken.withLock { $0.values.reduce(0, +) } }

  private func free(_ device: String) {
    taken.withLock { taken in
      taken[device, default: 1] -= 1
      if taken[device] == 0 { taken[device] = nil }
    }
  }
}
