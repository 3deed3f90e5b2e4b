import EventStream
public import HTTPTypes
public import Logging
import Synchronization

/// Two ways to one origin, of which the first to be connected is used: connections race, requests never.
///
/// The second starts after a head start, or at once when the first has failed. A racer wins at the end of its handshake,
/// certificate accepted; the other is closed. ``ConnectionInfo/reason`` tells who won and why. When the winner's
/// connection is lost, the next request races again.
public final class RacingTransport: HTTPTransport {
  public let origin: Origin
  private let first: any HTTPTransport
  private let second: any HTTPTransport
  private let names: RaceNames
  private let clock: TransportClock
  private let logger: Logger
  private let opening = SharedAttempt<RacingState.Winner>()
  private let state: Mutex<RacingState>

  /// - Parameters:
  ///   - first: the transport that is preferred.
  ///   - second: the one to fall back to; for the same origin.
  ///   - headStart: how long the first runs alone.
  ///   - names: what the two are called in reasons and errors.
  public init(
    first: any HTTPTransport, second: any HTTPTransport, headStart: Duration = .milliseconds(250),
    names: RaceNames = RaceNames(first: "HTTP/3", second: "HTTP/1.1"), clock: TransportClock = .continuous,
    logger: Logger = Logger(label: "racing-transport")
  ) {
    origin = first.origin
    self.first = first
    self.second = second
    self.names = names
    self.clock = clock
    self.logger = logger
    state = Mutex(RacingState(race: TransportRace(headStart: headStart)))
  }

  public func connect() async throws -> ConnectionInfo {
    try await reach().info
  }

  public func send(_ request: HTTPRequest, body: RequestBody) async throws -> TransportResponse {
    let winner = try await reach()
    do {
      var response = try await transport(winner.side).send(request, body: body)
      response.connection.reason = winner.info.reason
      return response
    } catch let error as TransportError where error.endsConnection {
      state.withLock { $0.lose(winner, reason: error.message) }
      throw error
    }
  }

  public func snapshot() async -> ConnectionSnapshot? {
    guard let winner = state.withLock({ $0.winner }) else { return nil }
    var snapshot = await transport(winner.side).snapshot()
    snapshot?.connection.reason = winner.info.reason
    return snapshot
  }

  /// The next request races again, since a silent path may be one that lets no UDP through any more.
  public func retireConnection() async {
    guard let winner = state.withLock({ $0.winner }) else { return }
    await transport(winner.side).retireConnection()
    state.withLock { $0.lose(winner, reason: "The connection fell silent.") }
  }

  public func close() async {
    opening.cancel(throwing: TransportError.closedByCaller())
    state.withLock { state in
      _ = state.race.cancel()
      state.winner = nil
    }
    await first.close()
    await second.close()
  }

  private func transport(_ side: RaceSide) -> any HTTPTransport {
    switch side {
    case .first: first
    case .second: second
    }
  }

  /// The winner, if its connection is still there, or the winner of a new race.
  private func reach() async throws -> RacingState.Winner {
    if let winner = state.withLock({ $0.winner }) {
      if await transport(winner.side).snapshot() != nil { return winner }
      state.withLock { $0.lose(winner, reason: "The connection ended.") }
    }
    do {
      return try await opening.value { [self] in try await race() }
    } catch is CancellationError {
      throw TransportError(.cancelled, "Connecting was cancelled.")
    }
  }

  /// Runs one race to its end; cancelling the task gives up both racers.
  private func race() async throws -> RacingState.Winner {
    let (start, number) = state.withLock { state in
      // One race runs at a time, so one that is still on was left by all who waited for it.
      if state.race.isRacing { _ = state.race.cancel() }
      return (state.race.start(), state.race.race)
    }
    var actions = start
    var run = RaceRun(number: number, clock: clock)
    var news = run.news.makeAsyncIterator()
    while true {
      for action in actions {
        switch action {
        case .start(let side, let race):
          let closing = state.withLock { $0.closing[side] }
          run.start(side, transport(side), after: closing, race: race)
        case .scheduleHeadStart(let headStart, let race): run.scheduleHeadStart(headStart, race: race)
        case .cancelHeadStart: run.cancelHeadStart()
        case .close(let side, _): close(side, run)
        case .use(let outcome, _): return try use(outcome, run)
        case .fail(let failures, _): throw failure(failures, run)
        }
      }
      guard let item = await news.next(), !Task.isCancelled else {
        let closing = state.withLock { $0.race.race == number ? $0.race.cancel() : [] }
        for case .close(let side, _) in closing { close(side, run) }
        run.cancelHeadStart()
        throw CancellationError()
      }
      actions = state.withLock { state in
        switch item {
        case .headStartElapsed(let race): state.race.headStartElapsed(race: race)
        case .ended(let side, .success(let info), let race):
          run.record(side, info, { state.race.connected(side, race: race) })
        case .ended(let side, .failure(let error), let race):
          run.record(side, error, { state.race.failed(side, reason: error.message, race: race) })
        }
      }
    }
  }

  /// Closes a loser in the background; a later race waits for that before it starts the same side.
  private func close(_ side: RaceSide, _ run: RaceRun) {
    let attempt = run.attempts[side]
    attempt?.cancel()
    let transport = transport(side)
    state.withLock { state in
      // A newer race may have started this side again, and its connection is not ours to close.
      guard state.race.race == run.number else { return }
      state.closing[side] = Task {
        await attempt?.value
        await transport.close()
      }
    }
  }

  private func use(_ outcome: RaceOutcome, _ run: RaceRun) throws(TransportError) -> RacingState.Winner {
    guard var info = run.connected[outcome.winner] else { throw .closedByCaller() }
    info.reason = names.describe(outcome, handshake: info.handshake)
    logger.info("connected", metadata: ["transport": "\(info.transport.rawValue)", "reason": "\(info.reason ?? "")"])
    let winner = RacingState.Winner(side: outcome.winner, info: info, race: run.number)
    state.withLock { $0.winner = winner }
    return winner
  }

  private func failure(_ failures: [RaceFailure], _ run: RaceRun) -> TransportError {
    let errors = failures.compactMap { run.errors[$0.side] }
    // The certificate's answer is the one that must not be lost; otherwise TCP's words tell most.
    let leading = errors.first { $0.code == .certificateRejected } ?? errors.last
    let words = failures.map { "\(names[$0.side]): \($0.reason)" }.joined(separator: " ")
    return TransportError(
      leading?.code ?? .connectionLost, "No connection to \(origin.authority). \(words)",
      wireCode: leading?.wireCode, cause: leading)
  }
}
