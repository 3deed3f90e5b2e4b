import Logging
import Synchronization
import TransportPolicy

/// What happens to a winner later: its path falls silent, or HTTP/3 takes HTTP/1.1's place again.
extension RacingTransport {
  /// The first try after HTTP/1.1 won; each further one takes twice as long to come, where nothing is remembered that
  /// says more.
  private static let firstReturn = Duration.seconds(30)
  private static let longestReturn = Duration.seconds(600)

  /// The pause while the attempt before, of the race itself, still runs.
  private static let earlyPause = Duration.seconds(1)

  private enum ReturnAttempt {
    /// There is nothing more to try.
    case isOver
    case isTooEarly
    case failed
  }

  /// The pause between two races while nothing passes at all.
  private static let searchPause = Duration.seconds(1)

  /// Where HTTP/3's path carries nothing, HTTP/1.1 is tried beside its own attempts to come back, as in the first race;
  /// and again, until there is a connection or the silent one is gone.
  func pathOfFirst(_ news: PathNews) {
    let begins = state.withLock { state -> Bool in
      state.isFirstSilent = news == .suspect
      switch news {
      case .gone: return false
      case .suspect:
        // Of no use for what runs over HTTP/1.1.
        if let winner = state.winner {
          guard winner.side == .first else { return false }
          state.lose(winner, reason: "Nothing comes over the connection any more.")
        }
      case .answers:
        guard state.winner == nil else { return false }
      }
      defer { state.isSearching = true }
      return !state.isSearching
    }
    guard begins else { return }
    logger.info("the connection fell silent or answers", metadata: ["news": "\(news)"])
    Task { [weak self, clock] in
      while await self?.search() ?? false {
        do { try await clock.sleep(Self.searchPause) } catch { return }
      }
    }
  }

  /// Races once; true when that failed and has to be done again.
  private func search() async -> Bool {
    let winner = try? await reach()
    return state.withLock { state in
      let goesOn = winner == nil && state.isFirstSilent
      state.isSearching = goesOn
      return goesOn
    }
  }

  /// From now on requests go over the winner's connection.
  func settle(on winner: RacingState.Winner) {
    let info = winner.info
    logger.info("connected", metadata: ["transport": "\(info.transport.rawValue)", "reason": "\(info.reason ?? "")"])
    let hopeful = state.withLock { state -> [OneShot<Void>] in
      state.winner = winner
      state.returning?.cancel()
      state.returning = nil
      guard winner.side == .first else { return [] }
      defer { state.hopeful = [] }
      return state.hopeful
    }
    switch winner.side {
    case .first: for waiter in hopeful { waiter.answer(.success(())) }
    case .second:
      // What still listens on a silent path would listen for long.
      Task { [first] in await first.leaveSilentPath(for: "HTTP/1.1") }
      guard exclusion == nil else { return }
      let returning = Task { [weak self, clock, network, networkChanges] in
        var (delay, place) = (Self.firstReturn, winner.network)
        var wait = self?.wait(atLeast: delay, on: place, winner)
        while let time = wait {
          do {
            let hasMoved: Void? = try await clock.withLimit(time) { [place] in
              try await Self.change(from: place, network, networkChanges())
            }
            if hasMoved != nil {
              // What was learnt of the old network does not count here.
              (delay, place) = (Self.firstReturn, network())
              wait = self?.wait(atLeast: .zero, on: place, winner)
              continue
            }
          } catch {
            return
          }
          switch await self?.tryToReturn(from: winner) ?? .isOver {
          case .isOver: return
          case .isTooEarly: wait = self?.wait(atLeast: Self.earlyPause, on: place, winner)
          case .failed:
            delay = min(delay * 2, Self.longestReturn)
            wait = self?.wait(atLeast: delay, on: place, winner)
          }
        }
      }
      state.withLock { state in
        guard state.winner?.race == winner.race else { return returning.cancel() }
        state.returning = returning
      }
    }
  }

  public func improvement(over connection: ConnectionInfo) async throws {
    // The server may leave it, or its path fall silent; that is for HTTP/3 to see.
    guard connection.transport == .http1 else { return try await first.improvement(over: connection) }
    guard exclusion == nil else { return try await OneShot<Void>().value() }
    let waiter = OneShot<Void>()
    let isThere = state.withLock { state in
      if state.winner?.side == .first { return true }
      state.hopeful.append(waiter)
      return false
    }
    if isThere { return }
    defer { state.withLock { $0.hopeful.removeAll { $0 === waiter } } }
    try await waiter.value()
  }

  public func setAttentive(_ isAttentive: Bool) {
    first.setAttentive(isAttentive)
    second.setAttentive(isAttentive)
  }

  /// Returns when this machine is on another network than `place`.
  private static func change(
    from place: String, _ network: @Sendable () -> String, _ changes: AsyncStream<Void>
  ) async throws {
    if network() != place { return }
    for await _ in changes where network() != place { return }
    // Nothing more is told.
    try await OneShot<Void>().value()
  }

  /// The time until the next try, not before a mark that UDP is broken here is over; nil when the winner is another.
  private func wait(atLeast delay: Duration, on place: String, _ winner: RacingState.Winner) -> Duration? {
    guard state.withLock({ $0.winner?.race == winner.race }) else { return nil }
    let service = service(on: place)
    let rest = memory.read { [name = origin.description] memory, now in
      memory.brokenTime(of: name, at: service, on: place, now: now)
    }
    return max(delay, rest)
  }

  private func tryToReturn(from winner: RacingState.Winner) async -> ReturnAttempt {
    let closing = state.withLock { state -> Task<Void, Never>?? in
      guard state.winner?.race == winner.race, state.unfinished == nil else { return nil }
      return .some(state.closing[.first])
    }
    guard let closing else {
      return state.withLock { $0.winner?.race == winner.race } ? .isTooEarly : .isOver
    }
    await closing?.value
    let startedAt = clock.now()
    let place = network()
    let service = service(on: place)
    first.steer(to: service)
    do {
      let info = try await first.connect()
      if network() == place { remember(connected: info, after: clock.now() - startedAt, at: service, on: place) }
      take(info, place, service, from: winner)
      return .isOver
    } catch {
      guard !Task.isCancelled else { return .isOver }
      let error = (error as? TransportError) ?? TransportError(.connectionLost, "\(error)", cause: error)
      // Where TCP carries nothing either, or was connected elsewhere, this says nothing of UDP.
      if place == winner.network, network() == place, await second.snapshot() != nil {
        remember(failed: error, at: service, on: place)
      }
      logger.debug("HTTP/3 was tried again", metadata: ["reason": "\(error)"])
      return .failed
    }
  }

  private func take(
    _ info: ConnectionInfo, _ network: String, _ service: AlternativeService?, from old: RacingState.Winner
  ) {
    // In one step: whoever finds no winner in between would wait for a race that is over.
    let winner = state.withLock { state -> RacingState.Winner? in
      for case .use(let outcome, let race) in state.race.firstReturned(race: old.race) {
        var info = info
        info.reason = outcome.description(handshake: info.handshake)
        let winner = RacingState.Winner(
          side: .first, info: info, race: race, network: network, service: service)
        state.winner = winner
        return winner
      }
      return nil
    }
    if let winner { settle(on: winner) }
  }
}
