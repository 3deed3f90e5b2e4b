import Logging
import Synchronization
import TransportPolicy

/// A winner's later life: its path falls silent, or HTTP/3 takes HTTP/1.1's place again.
extension RacingTransport {
  private enum ReturnAttempt {
    /// There is nothing more to try.
    case isOver
    case isTooEarly
    case failed
  }

  /// The pause between two races while nothing passes at all.
  private static let searchPause = Duration.seconds(1)

  /// Tries HTTP/1.1 where HTTP/3's path carries nothing, beside HTTP/3's own attempts to come back, as in the first
  /// race; and again, until there is a connection or the silent one is gone.
  func pathOfFirst(_ news: PathHealth) {
    guard state.withLock({ $0.firstsPath(news) }) else { return }
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
    return state.withLock { $0.didSearch(found: winner != nil) }
  }

  /// From now on requests go over the winner's connection.
  func settle(on winner: RacingState.Winner) {
    let info = winner.info
    logger.info("connected", metadata: ["transport": "\(info.transport.rawValue)", "reason": "\(info.reason ?? "")"])
    let hopeful = state.withLock { $0.settle(on: winner) }
    switch winner.side {
    case .first: for waiter in hopeful { waiter.answer(.success(())) }
    case .second:
      // What still listens on a silent path would listen for long.
      Task { [first] in await first.leaveSilentPath(for: "HTTP/1.1") }
      guard exclusion == nil else { return }
      let returning = Task { [weak self, clock, network, networkChanges] in
        var (schedule, place) = (ReturnSchedule(), winner.network)
        while let time = self?.pause(schedule, on: place, winner) {
          do {
            let hasMoved: Void? = try await clock.withLimit(time) { [place] in
              try await Self.change(from: place, network, networkChanges())
            }
            if hasMoved != nil {
              schedule.networkChanged()
              place = network()
              continue
            }
          } catch {
            return
          }
          switch await self?.tryToReturn(from: winner) ?? .isOver {
          case .isOver: return
          case .isTooEarly: schedule.wasTooEarly()
          case .failed: schedule.failed()
          }
        }
      }
      state.withLock { $0.setReturning(returning, from: winner) }
    }
  }

  package func improvement(over connection: ConnectionInfo) async throws {
    // The server may leave it, or its path fall silent; that is for HTTP/3 to see.
    guard connection.transport == .http1 else { return try await first.improvement(over: connection) }
    guard exclusion == nil else { return try await OneShot<Void>().value() }
    let waiter = OneShot<Void>()
    guard state.withLock({ $0.awaitImprovement(waiter) }) else { return }
    defer { state.withLock { $0.removeHopeful(waiter) } }
    try await waiter.value()
  }

  package func setResponseExpected(_ isExpected: Bool) {
    first.setResponseExpected(isExpected)
    second.setResponseExpected(isExpected)
  }

  /// Returns when this machine is on another network than `place`.
  private static func change(
    from place: String, _ network: @Sendable () -> String, _ changes: AsyncStream<Void>
  ) async throws {
    if network() != place { return }
    for await _ in changes where network() != place { return }
    // No more changes are reported.
    try await OneShot<Void>().value()
  }

  /// The time until the next try, not before a mark that UDP is broken here is over; nil when the winner is another.
  private func pause(_ schedule: ReturnSchedule, on place: String, _ winner: RacingState.Winner) -> Duration? {
    guard state.withLock({ $0.winner?.race == winner.race }) else { return nil }
    return max(schedule.pause, knowledge.brokenTime(on: place))
  }

  private func tryToReturn(from winner: RacingState.Winner) async -> ReturnAttempt {
    switch state.withLock({ $0.returnChance(from: winner) }) {
    case .none: return .isOver
    case .tooEarly: return .isTooEarly
    case .now(let closing): await closing?.value
    }
    let startedAt = clock.now()
    let place = network()
    let service = knowledge.service(on: place)
    first.steer(to: service)
    do {
      let info = try await first.connect()
      if network() == place {
        knowledge.learn(connected: info, after: clock.now() - startedAt, at: service, on: place)
      }
      let new = state.withLock { $0.replace(winner, by: info, on: place, at: service) }
      if let new { settle(on: new) }
      return .isOver
    } catch {
      guard !Task.isCancelled else { return .isOver }
      let error = (error as? TransportError) ?? TransportError(.connectionLost, "\(error)", cause: error)
      // Where TCP carries nothing either, or was connected elsewhere, this says nothing of UDP.
      if place == winner.network, network() == place, await second.snapshot() != nil {
        knowledge.learn(failed: error, at: service, on: place)
      }
      logger.debug("HTTP/3 was tried again", metadata: ["reason": "\(error)"])
      return .failed
    }
  }
}
