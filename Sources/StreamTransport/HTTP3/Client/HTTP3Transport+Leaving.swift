import HTTP3Engine
import Synchronization

// A server that goes away lets open responses run on (RFC 9114 § 5.2), some for long; a path that fell silent may come back.
// Whoever can ask for the rest of a response elsewhere does so before its end: there is no gap then, or a shorter one.
extension HTTP3Transport {
  /// The clients that a server leaves do not connect all at once; nothing is missing meanwhile.
  private static let departureSpread = Duration.seconds(1)
  /// Between two tries where the server, which may listen no more, is the only one; doubled each time.
  private static let departurePause = Duration.seconds(1)
  private static let longestDeparturePause = Duration.seconds(30)

  /// Returns when `connection` takes no more requests, as after the server's GOAWAY, and there is another one; or when
  /// its path falls silent: what is safe to ask for anew then goes beside the next handshake, where waiting for the old
  /// one's end is a round trip too late for that. Throws when `connection` ends before.
  public func improvement(over connection: ConnectionInfo) async throws {
    guard let old = await connections.connection(connection) else { return try await OneShot<Void>().value() }
    if try await old.departure() == .silence { return }
    let spread = Self.departureSpread / .milliseconds(1)
    try await Task.sleep(for: .milliseconds(Double.random(in: 0...spread)))
    var pause = Self.departurePause
    while await old.isLive {
      if let new = try? await self.connection(), new !== old { return }
      try await Task.sleep(for: pause)
      pause = min(pause * 2, Self.longestDeparturePause)
    }
    try await OneShot<Void>().value()
  }
}

extension HTTP3ClientConnection {
  /// Why another connection serves better.
  enum Departure {
    /// No further request is sent over this one.
    case retirement
    /// Nothing comes over its path.
    case silence
  }

  /// Returns when another connection serves better. Throws this one's end, or `CancellationError`.
  func departure() async throws -> Departure {
    if let failure { throw failure }
    if isGoingAway { return .retirement }
    if isSuspect, configuration.replacesSilentConnections { return .silence }
    let waiter = OneShot<Departure>()
    departures.append(waiter)
    defer { departures.removeAll { $0 === waiter } }
    return try await waiter.value()
  }

  static var leftReason: TransportError {
    TransportError(
      .notProcessed, "The connection takes no more requests; this one may be sent again.",
      wireCode: ApplicationErrorCode.requestRejected.description)
  }

  /// Takes no new request; what runs goes on.
  func leave() {
    isGoingAway = true
    isUsable.store(false, ordering: .relaxed)
    endDepartures(.success(.retirement))
    // Nobody waits here for a place among streams of which there will be no more.
    waiters.fail(UnsentRequest(reason: Self.leftReason))
  }

  func endDepartures(_ result: Result<Departure, any Error>) {
    let waiting = departures
    departures = []
    for waiter in waiting { waiter.answer(result) }
  }
}
