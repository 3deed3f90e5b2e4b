import HTTP3Engine
import Synchronization

// A server that goes away lets open responses continue (RFC 9114 § 5.2), some for long; a path that fell silent may come
// back. A caller that can ask for the rest of a response elsewhere does so before its end: there is no gap then, or a
// shorter one.
extension HTTP3Transport {
  /// The clients that a server leaves do not connect all at once; nothing is missing meanwhile.
  private static let departureSpread = Duration.seconds(1)
  /// Between two tries where the server, which may listen no more, is the only one; doubled each time.
  private static let departurePause = Duration.seconds(1)
  private static let longestDeparturePause = Duration.seconds(30)

  /// Returns when `connection` takes no more requests, as after the server's GOAWAY, and there is another one; or when
  /// its path falls silent: what is safe to ask for again then goes beside the next handshake, where waiting for the old
  /// one's end is a round trip too late for that. Throws when `connection` ends before.
  package func improvement(over connection: ConnectionInfo) async throws {
    guard let old = await connections.connection(connection) else { return try await OneShot<Void>().value() }
    if try await old.departure() == .silence { return }
    var random = random
    try await clock.sleep(Self.departureSpread * Double.random(in: 0...1, using: &random))
    var pause = Self.departurePause
    while await old.isLive {
      if let new = try? await self.connection(), new !== old { return }
      try await clock.sleep(pause)
      pause = min(pause * 2, Self.longestDeparturePause)
    }
    try await OneShot<Void>().value()
  }
}
