/// The tasks that wait for news of one connection: that its path answers, or that another one serves better.
struct ConnectionWaiters {
  /// The reason for which another connection serves better.
  enum Departure: Hashable {
    /// No further request is sent over this one.
    case retirement
    /// Nothing comes over its path.
    case silence
  }

  private var recoveries: [OneShot<Void>] = []
  private var departures: [OneShot<Departure>] = []

  /// Answered when the path answers, or with the connection's end.
  mutating func awaitRecovery() -> OneShot<Void> {
    let waiter = OneShot<Void>()
    recoveries.append(waiter)
    return waiter
  }

  /// Answered when another connection serves better, or with this one's end.
  mutating func awaitDeparture() -> OneShot<Departure> {
    let waiter = OneShot<Departure>()
    departures.append(waiter)
    return waiter
  }

  mutating func remove(_ waiter: OneShot<Void>) {
    recoveries.removeAll { $0 === waiter }
  }

  mutating func remove(_ waiter: OneShot<Departure>) {
    departures.removeAll { $0 === waiter }
  }

  mutating func pathAnswered() {
    Self.answer(&recoveries, .success(()))
  }

  mutating func depart(_ departure: Departure) {
    Self.answer(&departures, .success(departure))
  }

  mutating func end(_ reason: TransportError) {
    Self.answer(&recoveries, .failure(reason))
    Self.answer(&departures, .failure(reason))
  }

  private static func answer<Value>(_ waiters: inout [OneShot<Value>], _ result: Result<Value, any Error>) {
    let waiting = waiters
    waiters = []
    for waiter in waiting { waiter.answer(result) }
  }
}
