import HTTPTypes
import Synchronization
import TransportPolicy

/// What races and responses teach about the origin.
extension RacingTransport {
  func learn(connected info: ConnectionInfo, _ run: RaceRun) {
    remember(connected: info, after: run.elapsed(.first), at: run.service, on: run.network)
  }

  func remember(
    connected info: ConnectionInfo, after elapsed: Duration, at service: AlternativeService?, on network: String
  ) {
    // A connection that was there already says how long it took when it was made.
    let duration = max(elapsed, info.handshake)
    update { [name = origin.description] memory, now in
      memory.http3Connected(to: name, at: service, on: network, after: duration, now: now)
    }
  }

  /// Called when TCP is connected; without that nothing follows for UDP.
  func learn(failed error: TransportError, _ run: RaceRun) {
    remember(failed: error, at: run.service, on: run.network)
  }

  func remember(failed error: TransportError, at service: AlternativeService?, on network: String) {
    // An alternative that does not serve the origin is none, whatever it is that it lacks.
    guard error.isOfPath || service != nil && error.endsConnection && !error.isOfNameServers else { return }
    update { [name = origin.description] memory, now in
      memory.udpFailed(to: name, at: service, on: network, now: now)
    }
  }

  /// Whether the response came from an alternative that is none: the request may go to the origin itself, be it safe or
  /// not (421, RFC 9110 § 15.5.20).
  func learn(from response: HTTPResponse, _ winner: RacingState.Winner) -> Bool {
    // Only a server that has proven who it is may send its clients elsewhere (RFC 7838 § 2.1).
    guard origin.scheme == .https else { return false }
    let (name, network) = (origin.description, winner.network)
    if winner.side == .first, response.status.code == 421 {
      // From the origin itself the answer is meant.
      guard winner.service != nil else { return false }
      update { memory, _ in memory.forgetAlternatives(of: name) }
      leaveAlternative(winner)
      return true
    }
    guard let value = response.headerFields[.altSvc] else { return false }
    let field = AltSvc(value)
    guard memory.read({ memory, now in memory.isNews(field, from: name, on: network, now: now) }) else { return false }
    update { memory, now in memory.learn(field, from: name, on: network, now: now) }
    return false
  }

  /// The next request races anew, once this connection takes no more of them.
  private func leaveAlternative(_ winner: RacingState.Winner) {
    state.withLock { state in
      guard state.winner?.race == winner.race else { return }
      state.lose(winner, reason: "The alternative service does not serve this origin.")
      state.closing[.first] = Task { [first] in await first.retireConnection() }
    }
  }

  /// What is learnt of this machine itself is not worth a line: its ports are often another program's next time.
  private func update(_ change: @escaping @Sendable (inout OriginMemory, _ now: Int) -> Void) {
    memory.update(isKept: !origin.isLoopback, change)
  }
}
