import TransportPolicy

/// The memory of a ``RacingTransport`` between races: the rules' state, the winner that is in use, and what still runs
/// beside it.
struct RacingState {
  struct Winner: Sendable {
    let side: RaceSide
    var info: ConnectionInfo
    let race: Int
    /// The network on which it was connected.
    let network: String
    /// The place that HTTP/3 was asked of; nil for the origin itself.
    let service: AlternativeService?
  }

  /// Whether the first may be tried again in place of a winner.
  enum ReturnChance {
    /// The winner is in use no more.
    case none
    /// The race's own attempt still runs.
    case tooEarly
    /// At once, after what is being closed is closed.
    case now(after: Task<Void, Never>?)
  }

  private var race = TransportRace()
  private(set) var winner: Winner?
  /// The race whose first racer continues though the second has won.
  private var unfinished: RaceRun?
  /// Whether the first's path is silent, and whether another way is looked for because of it.
  private var isFirstSilent = false
  private var isSearching = false
  /// Tries the first again while the second is in use.
  private var returning: Task<Void, Never>?
  /// Answered when the first takes the second's place.
  private var hopeful: [OneShot<Void>] = []
  /// Losers that are being closed.
  private var closing: [RaceSide: Task<Void, Never>] = [:]

  // MARK: The race

  /// Starts a race; no actions where the winner is in use.
  mutating func start(_ plan: RacePlan) -> (actions: [TransportRace.Action], number: Int) {
    // One race runs at a time, so the callers of one that is still on have all left it.
    if race.isRacing { _ = race.cancel() }
    return (race.start(plan), race.race)
  }

  mutating func headStartElapsed(race number: Int) -> [TransportRace.Action] { race.headStartElapsed(race: number) }

  mutating func connected(_ side: RaceSide, race number: Int) -> [TransportRace.Action] {
    race.connected(side, race: number)
  }

  mutating func failed(_ side: RaceSide, _ reason: TransportError, race number: Int) -> [TransportRace.Action] {
    race.failed(side, reason: reason.message, race: number)
  }

  /// The race's callers have left it.
  mutating func abandon(race number: Int) -> [TransportRace.Action] {
    race.race == number ? race.cancel() : []
  }

  /// The race's first racer continues though the second has won.
  mutating func letFinish(_ run: RaceRun) { unfinished = run }

  mutating func didFinish(_ run: RaceRun) {
    if unfinished?.number == run.number { unfinished = nil }
  }

  /// A race's loser, of the race that runs or of the one before.
  func loser(of race: Int, _ run: RaceRun) -> RaceRun? {
    if race == run.number { return run }
    return unfinished?.number == race ? unfinished : nil
  }

  // MARK: Closing

  /// The closing that must end before the side may connect again.
  func closing(_ side: RaceSide) -> Task<Void, Never>? { closing[side] }

  /// Begins to close a side of the race that runs; not where a newer race may have started it again, since that race's
  /// connection is not to be closed.
  mutating func close(_ side: RaceSide, of run: RaceRun, _ close: () -> Task<Void, Never>) {
    if race.race == run.number { closing[side] = close() }
  }

  /// Begins to leave the first's connection, which is the winner's; the next request races again.
  mutating func leaveFirst(_ left: Winner, reason: String, _ close: () -> Task<Void, Never>) {
    guard winner?.race == left.race else { return }
    lose(left, reason: reason)
    closing[.first] = close()
  }

  // MARK: The winner

  /// The winner's connection is gone; news of an older winner changes nothing.
  mutating func lose(_ lost: Winner, reason: String) {
    guard winner?.race == lost.race else { return }
    winner = nil
    race.connectionLost(lost.side, reason: reason, race: lost.race)
  }

  /// Requests go over the winner's connection from now on. The tasks to answer, which waited for the first.
  mutating func settle(on new: Winner) -> [OneShot<Void>] {
    winner = new
    stopReturning()
    guard new.side == .first else { return [] }
    defer { hopeful = [] }
    return hopeful
  }

  /// The winner stays, with this reason; nil where it is in use no more.
  mutating func revise(_ outcome: RaceOutcome, race number: Int) -> String? {
    guard let handshake = winner?.info.handshake, winner?.race == number else { return nil }
    let reason = outcome.description(handshake: handshake)
    winner?.info.reason = reason
    return reason
  }

  /// The first takes the place of `old`, in one step: a caller that found no winner in between would wait for a race that
  /// is over. Nil where `old` is in use no more.
  mutating func replace(
    _ old: Winner, by info: ConnectionInfo, on network: String, at service: AlternativeService?
  ) -> Winner? {
    for case .use(let outcome, let number) in race.firstReturned(race: old.race) {
      var info = info
      info.reason = outcome.description(handshake: info.handshake)
      winner = Winner(side: .first, info: info, race: number, network: network, service: service)
      return winner
    }
    return nil
  }

  // MARK: A silent path

  /// Whether another way has to be looked for.
  mutating func firstsPath(_ news: PathHealth) -> Bool {
    isFirstSilent = news == .suspect
    switch news {
    case .gone: return false
    case .suspect:
      // Of no matter for requests over HTTP/1.1.
      if let winner {
        guard winner.side == .first else { return false }
        lose(winner, reason: "Nothing comes over the connection any more.")
      }
    case .answers:
      guard winner == nil else { return false }
    }
    defer { isSearching = true }
    return !isSearching
  }

  /// A search is over; whether another one has to follow.
  mutating func didSearch(found: Bool) -> Bool {
    isSearching = !found && isFirstSilent
    return isSearching
  }

  // MARK: Returning

  func returnChance(from old: Winner) -> ReturnChance {
    guard winner?.race == old.race else { return .none }
    return unfinished == nil ? .now(after: closing[.first]) : .tooEarly
  }

  /// The task tries the first again as long as `old` is in use.
  mutating func setReturning(_ task: Task<Void, Never>, from old: Winner) {
    guard winner?.race == old.race else { return task.cancel() }
    returning = task
  }

  mutating func stopReturning() {
    returning?.cancel()
    returning = nil
  }

  /// False where the first is in use already; else the waiter is answered when it is.
  mutating func awaitImprovement(_ waiter: OneShot<Void>) -> Bool {
    guard winner?.side != .first else { return false }
    hopeful.append(waiter)
    return true
  }

  mutating func removeHopeful(_ waiter: OneShot<Void>) {
    hopeful.removeAll { $0 === waiter }
  }

  // MARK: The end

  /// Nothing is connected any more, and nothing looked for; what still runs of the last race.
  mutating func end() -> RaceRun? {
    _ = race.cancel()
    winner = nil
    stopReturning()
    isFirstSilent = false
    defer { unfinished = nil }
    return unfinished
  }
}
