/// Judges whether the peer still answers and says when to ask it: suspicion of a path that carries nothing, the keep-alive
/// (RFC 9000 § 10.1.2), and the end of a connection on which nothing arrives (RFC 9000 § 10.1).
///
/// A client that only listens has nothing in flight, so loss recovery gives it no sign: a PING does, and what stays
/// unanswered for three probe time-outs makes the path suspect. Only acknowledgements count as answers, since anybody can
/// send datagrams to this address. A server suspects nothing, and a client nothing before its handshake is complete.
struct Liveness {
  /// A change in the state of the path.
  enum Change: Equatable {
    case suspected
    case answered

    var event: HTTP3Event {
      switch self {
      case .suspected: .pathSuspected
      case .answered: .pathAnswered
      }
    }
  }

  /// Whether the path is watched.
  private enum Watch {
    case never
    /// From the handshake's end on.
    case later
    case now
  }

  /// Longer than any path's probe time-out (RFC 9002 § 6.2.1). A peer that acknowledges a packet in one that is read later
  /// than it came makes the library's round-trip time, and with it the probe and idle time-outs, wrap
  /// (1.11: lib/ngtcp2_rtb.c:873).
  static let longestProbeTimeout = Duration.seconds(10)

  /// Shorter silence is a busy machine's as often as a broken path's.
  private static let shortestSuspicion = Duration.milliseconds(200)

  /// Packets that await an acknowledgement.
  private struct Flight {
    var byteCount: UInt64
    /// Since when nothing of it was acknowledged.
    var unansweredSince: Timestamp
  }

  private let idleTimeout: Duration
  private let keepAlive: Duration?
  private let handshakeTimeout: Duration
  private var watch: Watch
  private var lastArrival: Timestamp
  private var flight: Flight?
  /// Whether the path was reported as suspect and nothing was acknowledged since.
  private(set) var isSuspect = false
  /// Whether something is awaited of the peer, so that silence is looked into soon.
  private(set) var isResponseExpected = false
  /// Whether a PING is to go out, whatever was sent or received before.
  private(set) var isPingDue = false

  init(_ configuration: ConnectionConfiguration, isServer: Bool, at now: Timestamp) {
    watch = isServer ? .never : .later
    idleTimeout = configuration.idleTimeout
    keepAlive = configuration.keepAlive
    handshakeTimeout = configuration.handshakeTimeout
    lastArrival = now
  }

  mutating func handshakeDidComplete() {
    if case .later = watch { watch = .now }
  }

  /// Whether what is in flight matters.
  var isWatching: Bool {
    if case .now = watch { true } else { false }
  }

  // MARK: Arrivals

  mutating func didReceive(at now: Timestamp) { lastArrival = now }

  /// The time at which a connection on which nothing arrives is given up, whatever the library makes of the idle
  /// time-out; nil without one.
  var abandonmentDue: Timestamp? {
    guard idleTimeout > .zero else { return nil }
    return lastArrival + max(idleTimeout, handshakeTimeout) + Self.longestProbeTimeout * 3
  }

  // MARK: Answers

  /// Whether something is in flight of which an acknowledgement would be an answer.
  var awaitsAnswer: Bool { flight != nil }

  /// Notes what is in flight after writing, which has to be answered.
  mutating func didWrite(inFlight byteCount: UInt64, at now: Timestamp) {
    guard isWatching else { return }
    // A path-MTU probe that was found lost is not sent again: nothing may be left that could be answered.
    guard byteCount > 0 else { return flight = nil }
    flight = Flight(byteCount: byteCount, unansweredSince: flight?.unansweredSince ?? now)
  }

  /// Notes what is in flight after reading: only an acknowledgement makes it less.
  mutating func didRead(inFlight byteCount: UInt64, at now: Timestamp) -> Change? {
    guard let before = flight else { return nil }
    guard byteCount < before.byteCount else {
      flight?.byteCount = byteCount
      return nil
    }
    flight = byteCount > 0 ? Flight(byteCount: byteCount, unansweredSince: now) : nil
    guard isSuspect else { return nil }
    isSuspect = false
    return .answered
  }

  /// The time at which silence makes the path suspect; nil while nothing is unanswered, or it is suspect already.
  func suspicionDue(probeTimeout: @autoclosure () -> Duration) -> Timestamp? {
    guard !isSuspect, let flight else { return nil }
    return flight.unansweredSince + max(probeTimeout() * 3, Self.shortestSuspicion)
  }

  /// Suspects the path if it has been silent for too long.
  mutating func suspectIfSilent(at now: Timestamp, probeTimeout: @autoclosure () -> Duration) -> Change? {
    guard let due = suspicionDue(probeTimeout: probeTimeout()), due <= now else { return nil }
    return doubt()
  }

  /// Suspects the path from now on, whatever is in flight; nil if it is suspect already.
  mutating func doubt() -> Change? {
    guard isWatching, !isSuspect else { return nil }
    isSuspect = true
    return .suspected
  }

  /// Counts the silence again, as on another path.
  mutating func restart(at now: Timestamp) { flight?.unansweredSince = now }

  // MARK: Asking

  /// Asks the peer for a sign of life with the next datagram, whatever was sent or received before.
  mutating func probe(at now: Timestamp) {
    guard isWatching else { return }
    requestPing()
    restart(at: now)
  }

  /// False if it is so already.
  mutating func setResponseExpected(_ isResponseExpected: Bool) -> Bool {
    guard self.isResponseExpected != isResponseExpected else { return false }
    self.isResponseExpected = isResponseExpected
    return true
  }

  /// Sets whether a PING is to go out on the current path.
  mutating func requestPing(_ isDue: Bool = true) { isPingDue = isDue }

  /// Takes the PING that is due; false if there is none.
  mutating func takePing() -> Bool {
    defer { isPingDue = false }
    return isPingDue
  }

  /// The silence after which a PING is due, nil for never. While attentive it is a second, or three probe time-outs where
  /// that is longer.
  ///
  /// - Parameter peerIdleTimeout: the peer's `max_idle_timeout`, zero for none.
  func keepAliveInterval(peerIdleTimeout: Duration, probeTimeout: @autoclosure () -> Duration) -> Duration? {
    guard let keepAlive else { return nil }
    let interval = min(keepAlive, idleShare(peerIdleTimeout: peerIdleTimeout))
    return isResponseExpected ? min(interval, max(.seconds(1), probeTimeout() * 3)) : interval
  }

  /// Two fifths of the idle time that both sides agreed on (RFC 9000 § 10.1), so that one lost PING may be repeated.
  private func idleShare(peerIdleTimeout: Duration) -> Duration {
    let agreed = [idleTimeout, peerIdleTimeout].filter { $0 > .zero }.min() ?? .seconds(1 << 30)
    // A peer that gives next to none would be asked all the time.
    return max(agreed * 2 / 5, .milliseconds(100))
  }
}
