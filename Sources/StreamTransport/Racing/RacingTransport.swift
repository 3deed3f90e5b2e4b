public import HTTPTypes
public import Logging
import Synchronization
import TransportPolicy

/// HTTP/3 and HTTP/1.1 to one origin, of which the first to be connected is used: connections race, and no requests, save
/// that a safe one may go out as HTTP/3's early data meanwhile.
///
/// HTTP/3 starts; HTTP/1.1 follows after a head start that is learnt from how long HTTP/3 took to connect before (100 to
/// 400 ms), or at once when HTTP/3 has failed. A racer wins at the end of its handshake, certificate accepted. Where UDP
/// failed and TCP did not, the ``OriginStore`` remembers it for this network, and HTTP/1.1 comes first for a while; behind
/// a proxy HTTP/3 is not tried. Where the origin names another place for HTTP/3 (`alt-svc`, RFC 7838), it goes there.
/// ``ConnectionInfo/reason`` tells who won and what became of the other. When the winner's connection is lost, the next
/// request races again.
public final class RacingTransport: HTTPTransport {
  public let origin: Origin
  let first: any SteerableTransport
  let second: any HTTPTransport
  let memory: OriginStore
  let logger: Logger
  let metrics: RaceMetrics
  let state = Mutex(RacingState())
  /// How long a first that lost may go on.
  let patience: Duration
  /// The head start where nothing is known.
  private let headStart: Duration
  /// Why HTTP/3 takes no part.
  let exclusion: String?
  /// Tells which network this machine is on.
  let network: @Sendable () -> String
  let networkChanges: @Sendable () -> AsyncStream<Void>
  let clock: TransportClock
  private let opening = SharedAttempt<RacingState.Winner>()

  /// - Parameters:
  ///   - http3: what is preferred.
  ///   - http1: what is used where UDP does not pass, for the same origin; with a proxy it is used alone.
  ///   - memory: what is remembered, and where; by default as long as this transport lives.
  ///   - headStart: how long HTTP/3 runs alone where its connect times are not known yet.
  ///   - metrics: where races are counted; connections and requests are counted by the two.
  public convenience init(
    http3: HTTP3Transport, http1: HTTP1Transport, memory: OriginStore = OriginStore(),
    headStart: Duration = .milliseconds(250), clock: TransportClock = .continuous,
    logger: Logger = Logger(label: "racing-transport"), metrics: TransportMetrics = TransportMetrics()
  ) {
    self.init(
      first: http3, second: http1, exclusion: http1.exclusionOfHTTP3, memory: memory, headStart: headStart,
      clock: clock, logger: logger, metrics: metrics)
  }

  /// - Parameters:
  ///   - exclusion: why the first is never tried; nil to try it.
  ///   - network: tells which network this machine is on.
  ///   - networkChanges: tells from now on when that may be another.
  package init(
    first: any SteerableTransport, second: any HTTPTransport, exclusion: String? = nil,
    memory: OriginStore = OriginStore(), network: @escaping @Sendable () -> String = { NetworkIdentity.current },
    networkChanges: @escaping @Sendable () -> AsyncStream<Void> = { NetworkIdentity.changes() },
    headStart: Duration = .milliseconds(250), patience: Duration = .seconds(3), clock: TransportClock = .continuous,
    logger: Logger = Logger(label: "racing-transport"), metrics: TransportMetrics = TransportMetrics()
  ) {
    self.metrics = metrics.race
    origin = first.origin
    self.first = first
    self.second = second
    self.exclusion = exclusion
    self.memory = memory
    self.network = { [isLoopback = first.origin.isLoopback] in isLoopback ? "local" : network() }
    self.networkChanges = networkChanges
    self.headStart = headStart
    self.patience = patience
    self.clock = clock
    self.logger = logger
    first.watchPath { [weak self] in self?.pathOfFirst($0) }
  }

  deinit {
    state.withLock { $0.returning?.cancel() }
  }

  public func connect() async throws -> ConnectionInfo {
    try await reach().info
  }

  public func send(_ request: HTTPRequest, body: RequestBody) async throws -> TransportResponse {
    if HTTP3Transport.maySendEarly(request, body: body), await isRaceDue,
      let response = try await sendBesideRace(request)
    {
      return response
    }
    let (response, isMisdirected) = try await sendToWinner(request, body)
    guard isMisdirected else { return response }
    // Its chunks were taken.
    if case .stream = body { return response }
    response.body.cancel()
    return try await sendToWinner(request, body).response
  }

  private func sendToWinner(
    _ request: HTTPRequest, _ body: RequestBody
  ) async throws -> (response: TransportResponse, isMisdirected: Bool) {
    let winner = try await reach()
    do {
      var response = try await transport(winner.side).send(request, body: body)
      response.connection.reason = winner.info.reason
      return (response, learn(from: response.head, winner))
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
    let unfinished = state.withLock { state in
      _ = state.race.cancel()
      state.winner = nil
      state.returning?.cancel()
      state.returning = nil
      state.isFirstSilent = false
      defer { state.unfinished = nil }
      return state.unfinished
    }
    unfinished?.cancelPatience()
    unfinished?.attempts[.first]?.cancel()
    await first.close()
    await second.close()
    await memory.flush()
  }

  func transport(_ side: RaceSide) -> any HTTPTransport {
    switch side {
    case .first: first
    case .second: second
    }
  }

  /// Whether the next request begins a race, or joins one, in which HTTP/3 starts.
  private var isRaceDue: Bool {
    get async {
      if let winner = state.withLock({ $0.winner }), await transport(winner.side).snapshot() != nil { return false }
      let (plan, service) = plan(on: network())
      guard case .headStart = plan else { return false }
      first.steer(to: service)
      return true
    }
  }

  /// The winner, if its connection is still there, or the winner of a new race.
  func reach() async throws -> RacingState.Winner {
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

  // MARK: The race

  /// How the next race begins, and where HTTP/3 goes in it.
  private func plan(on network: String) -> (plan: RacePlan, service: AlternativeService?) {
    if let exclusion { return (.firstLeftOut(reason: exclusion), nil) }
    let service = service(on: network)
    let plan = memory.read { [name = origin.description] memory, now in
      memory.plan(for: name, at: service, on: network, headStart: headStart, now: now)
    }
    return (plan, service)
  }

  /// Where HTTP/3 goes next; nil for the origin itself.
  func service(on network: String) -> AlternativeService? {
    memory.read { [origin] memory, now in
      memory.alternative(for: origin.description, on: network, now: now) { service in
        // A server elsewhere has no business with what listens on this machine.
        origin.isLoopback || service.host.map { !Origin(scheme: .https, host: $0, port: 443).isLoopback } ?? true
      }
    }
  }

  /// Runs one race to its end; cancelling the task gives up both racers.
  private func race() async throws -> RacingState.Winner {
    let network = network()
    let (plan, service) = plan(on: network)
    first.steer(to: service)
    let (start, number) = state.withLock { state in
      // One race runs at a time, so one that is still on was left by all who waited for it.
      if state.race.isRacing { _ = state.race.cancel() }
      return (state.race.start(plan), state.race.race)
    }
    var actions = start
    // Nothing to do: the first has taken the second's place meanwhile.
    if start.isEmpty {
      guard let winner = state.withLock({ $0.winner }) else { throw TransportError.closedByCaller() }
      return winner
    }
    var run = RaceRun(number: number, network: network, service: service, clock: clock)
    var news = run.news.makeAsyncIterator()
    while true {
      for action in actions {
        switch action {
        case .start(let side, let race):
          let closing = state.withLock { $0.closing[side] }
          run.start(side, transport(side), after: closing, race: race)
        case .scheduleHeadStart(let headStart, let race): run.scheduleHeadStart(headStart, race: race)
        case .cancelHeadStart: run.cancelHeadStart()
        case .letFinish: letFinish(&run)
        case .close(let side, let race): close(side, of: race, run)
        case .use(let outcome, _): return try use(outcome, run)
        case .revise: break
        case .fail(let failures, _): throw failure(failures, run)
        }
      }
      guard let item = await news.next(), !Task.isCancelled else {
        let closing = state.withLock { $0.race.race == number ? $0.race.cancel() : [] }
        for case .close(let side, let race) in closing { close(side, of: race, run) }
        run.cancelHeadStart()
        throw CancellationError()
      }
      actions = take(item, &run)
    }
  }

  /// Tells the rules what a racer has reported.
  private func take(_ item: RaceRun.News, _ run: inout RaceRun) -> [TransportRace.Action] {
    switch item {
    case .headStartElapsed(let race): return state.withLock { $0.race.headStartElapsed(race: race) }
    case .patienceElapsed: return []
    case .ended(let side, let result, let race):
      run.record(side, result)
      switch result {
      case .success(let info):
        if side == .first { learn(connected: info, run) }
        return state.withLock { $0.race.connected(side, race: race) }
      case .failure(let error):
        return state.withLock { $0.race.failed(side, reason: error.message, race: race) }
      }
    }
  }

  private func use(_ outcome: RaceOutcome, _ run: RaceRun) throws(TransportError) -> RacingState.Winner {
    guard var info = run.connected[outcome.winner] else { throw .closedByCaller() }
    if outcome.winner == .second, let error = run.errors[.first] { learn(failed: error, run) }
    info.reason = outcome.description(handshake: info.handshake)
    metrics.raceWon(by: info.transport)
    let winner = RacingState.Winner(
      side: outcome.winner, info: info, race: run.number, network: run.network, service: run.service)
    settle(on: winner)
    return winner
  }

  private func failure(_ failures: [RaceFailure], _ run: RaceRun) -> TransportError {
    metrics.raceLost()
    let errors = failures.compactMap { run.errors[$0.side] }
    // The certificate's answer is the one that must not be lost; otherwise TCP's words tell most.
    let leading = errors.first { $0.code == .certificateRejected } ?? errors.last
    let words = failures.map { "\($0.side.transportName): \($0.reason)" }.joined(separator: " ")
    return TransportError(
      leading?.code ?? .connectionLost, "No connection to \(origin.authority). \(words)",
      wireCode: leading?.wireCode, cause: leading)
  }
}
