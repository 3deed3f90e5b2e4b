/// The rules of a race between two connections to one server, in the manner of Happy Eyeballs (RFC 8305 § 5).
///
/// The first racer starts at once, the second after a head start or as soon as the first has failed. A racer wins at
/// the end of its handshake, when the server has proven who it is; the other is closed. Requests never race. When the
/// winner's connection is lost, a new race may start. Every race has a number, and news from an older one changes
/// nothing: a connection that it brings is closed.
public struct TransportRace: Equatable, Sendable {
  /// What the shell does.
  public enum Action: Hashable, Sendable {
    /// Connect this side; report ``connected(_:race:)`` or ``failed(_:reason:race:)``.
    case start(RaceSide, race: Int)
    /// Report ``headStartElapsed(race:)`` after this time.
    case scheduleHeadStart(Duration, race: Int)
    /// The head start no longer matters.
    case cancelHeadStart(race: Int)
    /// Give up this side's connection or attempt; nothing further need be reported.
    case close(RaceSide, race: Int)
    /// Send requests on this side's connection.
    case use(RaceOutcome, race: Int)
    /// No connection; both reasons, the first racer's first.
    case fail([RaceFailure], race: Int)
  }

  private enum State: Equatable {
    case idle
    case racing(first: Racer, second: Racer)
    case won(RaceOutcome)
    case failed([RaceFailure])
    case lost(RaceOutcome, reason: String)
  }

  private enum Racer: Equatable {
    case waiting
    case connecting
    case failed(String)
  }

  public let headStart: Duration
  /// The number of the last race; 0 before the first.
  public private(set) var race = 0
  private var state = State.idle

  /// - Parameter headStart: how long the first racer runs alone.
  public init(headStart: Duration = .milliseconds(250)) {
    self.headStart = max(.zero, headStart)
  }

  /// The outcome of the race whose winner is in use; nil while there is none.
  public var outcome: RaceOutcome? {
    if case .won(let outcome) = state { outcome } else { nil }
  }

  /// Why there is no connection: both racers' reasons, or the reason the last winner was lost.
  public var failures: [RaceFailure] {
    switch state {
    case .idle, .won: []
    case .racing(let first, let second): Self.failures(first, second)
    case .failed(let failures): failures
    case .lost(let outcome, let reason): [RaceFailure(side: outcome.winner, reason: reason)]
    }
  }

  /// Whether a race is on.
  public var isRacing: Bool {
    if case .racing = state { true } else { false }
  }

  /// A connection is wanted. Does nothing while a race is on or its winner in use.
  public mutating func start() -> [Action] {
    switch state {
    case .racing, .won: return []
    case .idle, .failed, .lost: break
    }
    race &+= 1
    state = .racing(first: .connecting, second: .waiting)
    return [.start(.first, race: race), .scheduleHeadStart(headStart, race: race)]
  }

  /// The head start is over.
  public mutating func headStartElapsed(race: Int) -> [Action] {
    guard race == self.race, case .racing(let first, .waiting) = state else { return [] }
    state = .racing(first: first, second: .connecting)
    return [.start(.second, race: race)]
  }

  /// A racer's handshake is done and the server's certificate accepted.
  public mutating func connected(_ side: RaceSide, race: Int) -> [Action] {
    guard race == self.race, case .racing(let first, let second) = state else {
      return isInUse(side, race: race) ? [] : [.close(side, race: race)]
    }
    let (own, other) = side == .first ? (first, second) : (second, first)
    guard own == .connecting else { return [.close(side, race: race)] }
    let outcome: RaceOutcome
    var actions: [Action] = []
    switch other {
    case .waiting:
      outcome = RaceOutcome(winner: side, loser: .notStarted)
      actions.append(.cancelHeadStart(race: race))
    case .connecting:
      outcome = RaceOutcome(winner: side, loser: .slower)
      actions.append(.close(side.other, race: race))
    case .failed(let reason):
      outcome = RaceOutcome(winner: side, loser: .failed(reason))
    }
    state = .won(outcome)
    actions.append(.use(outcome, race: race))
    return actions
  }

  /// A racer gave up before it was connected.
  public mutating func failed(_ side: RaceSide, reason: String, race: Int) -> [Action] {
    guard race == self.race, case .racing(var first, var second) = state else { return [] }
    switch side {
    case .first:
      guard first == .connecting else { return [] }
      first = .failed(reason)
    case .second:
      guard second == .connecting else { return [] }
      second = .failed(reason)
    }
    if second == .waiting {
      state = .racing(first: first, second: .connecting)
      return [.cancelHeadStart(race: race), .start(.second, race: race)]
    }
    guard first != .connecting, second != .connecting else {
      state = .racing(first: first, second: second)
      return []
    }
    let failures = Self.failures(first, second)
    state = .failed(failures)
    return [.fail(failures, race: race)]
  }

  /// The winner's connection ended; the next ``start()`` begins a new race.
  public mutating func connectionLost(_ side: RaceSide, reason: String, race: Int) {
    guard isInUse(side, race: race), let outcome else { return }
    state = .lost(outcome, reason: reason)
  }

  /// Nobody wants the connection any more: everything that runs is closed.
  public mutating func cancel() -> [Action] {
    var actions: [Action] = []
    switch state {
    case .idle, .failed, .lost: break
    case .won(let outcome): actions = [.close(outcome.winner, race: race)]
    case .racing(let first, let second):
      if second == .waiting { actions.append(.cancelHeadStart(race: race)) }
      if first == .connecting { actions.append(.close(.first, race: race)) }
      if second == .connecting { actions.append(.close(.second, race: race)) }
    }
    state = .idle
    return actions
  }

  private func isInUse(_ side: RaceSide, race: Int) -> Bool {
    race == self.race && outcome?.winner == side
  }

  private static func failures(_ first: Racer, _ second: Racer) -> [RaceFailure] {
    [(RaceSide.first, first), (.second, second)].compactMap { side, racer in
      if case .failed(let reason) = racer { RaceFailure(side: side, reason: reason) } else { nil }
    }
  }
}
