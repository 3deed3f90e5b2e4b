import TransportPolicy

/// What a ``RacingTransport`` remembers between races.
struct RacingState {
  struct Winner: Sendable {
    let side: RaceSide
    var info: ConnectionInfo
    let race: Int
    /// The network on which it was connected.
    let network: String
    /// Where HTTP/3 was asked for; nil for the origin itself.
    let service: AlternativeService?
  }

  var race = TransportRace()
  var winner: Winner?
  /// The race whose first racer goes on though the second has won.
  var unfinished: RaceRun?
  /// Whether the first's path is silent, and whether somebody looks for another way because of it.
  var isFirstSilent = false
  var isSearching = false
  /// Tries the first again while the second is in use.
  var returning: Task<Void, Never>?
  /// Who waits until the first takes the second's place.
  var hopeful: [OneShot<Void>] = []
  /// Losers that are being closed.
  var closing: [RaceSide: Task<Void, Never>] = [:]

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
    case .superseded, .notProcessed, .streamReset, .protocolViolation, .invalidRequest, .limitExceeded, .cancelled:
      false
    }
  }

  /// Whether name servers did not answer as they should.
  var isOfNameServers: Bool { cause is NameResolver.Failure }

  /// Whether this says that UDP carries nothing to the host: silence, ICMP or a packet filter, not a server's answer,
  /// nor that of name servers, nor their silence.
  var isOfPath: Bool {
    if isOfNameServers { return false }
    return switch code {
    case .connectTimeout, .unreachable, .connectionRefused: wireCode == nil
    case .nameNotFound, .certificateRejected, .tls, .connectionLost, .idleTimeout, .superseded, .notProcessed,
      .streamReset, .protocolViolation, .invalidRequest, .limitExceeded, .cancelled:
      false
    }
  }
}
