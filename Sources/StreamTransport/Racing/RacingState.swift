import EventStream

/// What a ``RacingTransport`` remembers between races.
struct RacingState {
  struct Winner: Sendable {
    let side: RaceSide
    let info: ConnectionInfo
    let race: Int
  }

  var race: TransportRace
  var winner: Winner?
  /// Losers that are being closed.
  var closing: [RaceSide: Task<Void, Never>] = [:]

  init(race: TransportRace) {
    self.race = race
  }

  /// The winner's connection is gone; news of an older winner changes nothing.
  mutating func lose(_ lost: Winner, reason: String) {
    guard winner?.race == lost.race else { return }
    winner = nil
    race.connectionLost(lost.side, reason: reason, race: lost.race)
  }
}

extension TransportError {
  /// Whether the connection is no use for another request.
  var endsConnection: Bool {
    switch code {
    case .nameNotFound, .connectionRefused, .unreachable, .connectTimeout, .certificateRejected, .tls, .connectionLost,
      .idleTimeout:
      true
    case .notProcessed, .streamReset, .protocolViolation, .invalidRequest, .limitExceeded, .cancelled: false
    }
  }
}
