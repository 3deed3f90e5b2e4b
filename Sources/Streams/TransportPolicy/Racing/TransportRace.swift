/// The rules of a race between two connections to one server, in the manner of Happy Eyeballs (RFC 8305 § 5).
///
/// The first racer starts at once, the second after a head start or as soon as the first has failed, unless the
/// ``RacePlan`` holds the first back. A racer wins at the end of its handshake, when the server has proven who it is.
/// Requests never race. A second that loses is closed; a first that loses continues until its outcome is known,
/// since only that distinguishes a slow path from one that carries nothing. When the winner's connection is lost, a new
/// race may start. Every race has a number, and news from an older one changes nothing: a connection that it brings is closed.
package struct TransportRace: Equatable, Sendable {
  /// An action for the shell to perform.
  package enum Action: Hashable, Sendable {
    /// Connect this side; report ``connected(_:race:)`` or ``failed(_:reason:race:)``.
    case start(RaceSide, race: Int)
    /// Report ``headStartElapsed(race:)`` after this time.
    case scheduleHeadStart(Duration, race: Int)
    /// The head start no longer matters.
    case cancelHeadStart(race: Int)
    /// The race is over for this side, but its attempt continues: report its end as before, and give it up in time.
    case letFinish(RaceSide, race: Int)
    /// Give up this side's connection or attempt; nothing further need be reported.
    case close(RaceSide, race: Int)
    /// Send requests on the winner's connection.
    case use(RaceOutcome, race: Int)
    /// The winner stays; this is now known of the loser.
    case revise(RaceOutcome, race: Int)
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
    case heldBack(String)
    case leftOut(String)
    case connecting
    case failed(String)
  }

  /// The number of the last race; 0 before the first.
  package private(set) var race = 0
  private var state = State.idle
  /// The race that the second won while the first continued.
  private var unfinished: Int?

  package init() {}

  /// The outcome of the race whose winner is in use; nil while there is none.
  package var outcome: RaceOutcome? {
    if case .won(let outcome) = state { outcome } else { nil }
  }

  /// The reason for the missing connection: both racers', or that of the last winner's loss.
  package var failures: [RaceFailure] {
    switch state {
    case .idle, .won: []
    case .racing(let first, let second): Self.failures(first, second)
    case .failed(let failures): failures
    case .lost(let outcome, let reason): [RaceFailure(side: outcome.winner, reason: reason)]
    }
  }

  /// Whether a race is on.
  package var isRacing: Bool {
    if case .racing = state { true } else { false }
  }

  /// A connection is wanted. Does nothing while a race is on or its winner in use.
  package mutating func start(_ plan: RacePlan = .standard) -> [Action] {
    switch state {
    case .racing, .won: return []
    case .idle, .failed, .lost: break
    }
    let closing = closeUnfinished()
    race &+= 1
    switch plan {
    case .headStart(let duration) where duration > .zero:
      state = .racing(first: .connecting, second: .waiting)
      return closing + [.start(.first, race: race), .scheduleHeadStart(duration, race: race)]
    case .headStart:
      state = .racing(first: .connecting, second: .connecting)
      return closing + [.start(.first, race: race), .start(.second, race: race)]
    case .firstHeldBack(let reason):
      state = .racing(first: .heldBack(reason), second: .connecting)
    case .firstLeftOut(let reason):
      state = .racing(first: .leftOut(reason), second: .connecting)
    }
    return closing + [.start(.second, race: race)]
  }

  /// The head start is over.
  package mutating func headStartElapsed(race: Int) -> [Action] {
    guard race == self.race, case .racing(let first, .waiting) = state else { return [] }
    state = .racing(first: first, second: .connecting)
    return [.start(.second, race: race)]
  }

  /// A racer's handshake is done and the server's certificate accepted.
  package mutating func connected(_ side: RaceSide, race: Int) -> [Action] {
    if side == .first, race == unfinished { return closeUnfinished() }
    guard race == self.race, case .racing(let first, let second) = state else {
      return isInUse(side, race: race) ? [] : [.close(side, race: race)]
    }
    let (own, other) = side == .first ? (first, second) : (second, first)
    guard own == .connecting else { return [.close(side, race: race)] }
    let loser: RaceOutcome.Loser
    var actions: [Action] = []
    switch other {
    case .waiting:
      loser = .notStarted
      actions.append(.cancelHeadStart(race: race))
    case .heldBack(let reason), .leftOut(let reason): loser = .notTried(reason)
    case .failed(let reason): loser = .failed(reason)
    case .connecting:
      loser = .slower
      switch side {
      case .first: actions.append(.close(.second, race: race))
      case .second:
        unfinished = race
        actions.append(.letFinish(.first, race: race))
      }
    }
    let outcome = RaceOutcome(winner: side, loser: loser)
    state = .won(outcome)
    actions.append(.use(outcome, race: race))
    return actions
  }

  /// A racer gave up before it was connected.
  package mutating func failed(_ side: RaceSide, reason: String, race: Int) -> [Action] {
    if side == .first, race == unfinished { return finish(reason) }
    guard race == self.race, case .racing(var first, var second) = state else { return [] }
    switch side {
    case .first:
      guard first == .connecting else { return [] }
      first = .failed(reason)
    case .second:
      guard second == .connecting else { return [] }
      second = .failed(reason)
    }
    switch (first, second) {
    case (_, .waiting):
      state = .racing(first: first, second: .connecting)
      return [.cancelHeadStart(race: race), .start(.second, race: race)]
    case (.heldBack, _):
      state = .racing(first: .connecting, second: second)
      return [.start(.first, race: race)]
    case (.connecting, _), (_, .connecting):
      state = .racing(first: first, second: second)
      return []
    case (_, .failed), (_, .heldBack), (_, .leftOut):
      let failures = Self.failures(first, second)
      state = .failed(failures)
      return [.fail(failures, race: race)]
    }
  }

  /// The winner's connection ended; the next ``start(_:)`` begins a new race.
  package mutating func connectionLost(_ side: RaceSide, reason: String, race: Int) {
    guard isInUse(side, race: race), let outcome else { return }
    state = .lost(outcome, reason: reason)
  }

  /// The first is connected after all, tried again while the second is in use: it takes the second's place.
  package mutating func firstReturned(race: Int) -> [Action] {
    guard isInUse(.second, race: race) else { return [.close(.first, race: race)] }
    let closing = closeUnfinished()
    self.race &+= 1
    let outcome = RaceOutcome(winner: .first, loser: .replaced)
    state = .won(outcome)
    return closing + [.use(outcome, race: self.race)]
  }

  /// Nobody wants the connection any more: everything that runs is closed.
  package mutating func cancel() -> [Action] {
    var actions = closeUnfinished()
    switch state {
    case .idle, .failed, .lost: break
    case .won(let outcome): actions.append(.close(outcome.winner, race: race))
    case .racing(let first, let second):
      if second == .waiting { actions.append(.cancelHeadStart(race: race)) }
      if first == .connecting { actions.append(.close(.first, race: race)) }
      if second == .connecting { actions.append(.close(.second, race: race)) }
    }
    state = .idle
    return actions
  }

  private mutating func closeUnfinished() -> [Action] {
    guard let unfinished else { return [] }
    self.unfinished = nil
    return [.close(.first, race: unfinished)]
  }

  /// The first has failed after the race was won.
  private mutating func finish(_ reason: String) -> [Action] {
    unfinished = nil
    switch state {
    case .idle, .racing, .failed: return []
    case .won(var outcome):
      outcome.loser = .failed(reason)
      state = .won(outcome)
      return [.revise(outcome, race: race)]
    case .lost(var outcome, let lost):
      outcome.loser = .failed(reason)
      state = .lost(outcome, reason: lost)
      return []
    }
  }

  private func isInUse(_ side: RaceSide, race: Int) -> Bool {
    race == self.race && outcome?.winner == side
  }

  private static func failures(_ first: Racer, _ second: Racer) -> [RaceFailure] {
    [(RaceSide.first, first), (.second, second)].compactMap { side, racer in
      switch racer {
      case .waiting, .connecting, .heldBack: nil
      case .leftOut(let reason): RaceFailure(side: side, reason: "not tried, \(reason)")
      case .failed(let reason): RaceFailure(side: side, reason: reason)
      }
    }
  }
}
