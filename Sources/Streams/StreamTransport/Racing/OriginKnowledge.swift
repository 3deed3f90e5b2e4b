import HTTPTypes
import TransportPolicy

/// The knowledge of one origin, with what races and responses add to it.
struct OriginKnowledge: Sendable {
  /// The lesson of a response about the place that sent it.
  enum Lesson: Hashable {
    case none
    /// The place does not serve the origin, so the request may go to the origin itself, be it safe or not (421,
    /// RFC 9110 § 15.5.20).
    case misdirected
  }

  private let origin: Origin
  private let store: OriginStore
  private var name: String { origin.description }

  init(_ origin: Origin, in store: OriginStore) {
    self.origin = origin
    self.store = store
  }

  // MARK: Asking

  /// The beginning of a race in which HTTP/3 goes to `service`.
  ///
  /// - Parameter headStart: of HTTP/3 where nothing is known.
  func plan(at service: AlternativeService?, on network: String, headStart: Duration) -> RacePlan {
    store.read { memory, now in memory.plan(for: name, at: service, on: network, headStart: headStart, now: now) }
  }

  /// The next destination of HTTP/3; nil for the origin itself.
  func service(on network: String) -> AlternativeService? {
    store.read { memory, now in
      memory.alternative(for: name, on: network, now: now) { service in
        // A server elsewhere has no business with what listens on this machine.
        origin.isLoopback || service.host.map { !Origin(scheme: .https, host: $0, port: 443).isLoopback } ?? true
      }
    }
  }

  /// For how long UDP counts as broken on the way to where HTTP/3 goes next.
  func brokenTime(on network: String) -> Duration {
    let service = service(on: network)
    return store.read { memory, now in memory.brokenTime(of: name, at: service, on: network, now: now) }
  }

  // MARK: Learning

  /// HTTP/3 was connected.
  func learn(
    connected info: ConnectionInfo, after elapsed: Duration, at service: AlternativeService?, on network: String
  ) {
    // A connection that was there already says how long it took when it was made.
    let duration = max(elapsed, info.handshake)
    update { [name] memory, now in
      memory.http3Connected(to: name, at: service, on: network, after: duration, now: now)
    }
  }

  /// HTTP/3 failed while TCP was connected; without that nothing follows for UDP.
  func learn(failed error: TransportError, at service: AlternativeService?, on network: String) {
    // Any failure of the server disqualifies an alternative service.
    guard error.isOfPath || service != nil && error.endsConnection && !error.isOfNameServers else { return }
    update { [name] memory, now in memory.udpFailed(to: name, at: service, on: network, now: now) }
  }

  /// A response came over the winner's connection.
  func learn(from response: HTTPResponse, _ winner: RacingState.Winner) -> Lesson {
    // Only a server that has proven who it is may send its clients elsewhere (RFC 7838 § 2.1).
    guard origin.scheme == .https else { return .none }
    let (name, network) = (name, winner.network)
    if winner.side == .first, response.status.code == 421 {
      // A 421 from the origin itself is final.
      guard winner.service != nil else { return .none }
      update { memory, _ in memory.forgetAlternatives(of: name) }
      return .misdirected
    }
    guard let value = response.headerFields[.altSvc] else { return .none }
    let field = AltSvc(value)
    let isNews = store.read { memory, now in memory.isNews(field, from: name, on: network, now: now) }
    if isNews { update { memory, now in memory.learn(field, from: name, on: network, now: now) } }
    return .none
  }

  func flush() async { await store.flush() }

  /// Keeps nothing about this machine itself: its ports are often another program's next time.
  private func update(_ change: @escaping @Sendable (inout OriginMemory, _ now: Int) -> Void) {
    store.update(isKept: !origin.isLoopback, change)
  }
}
