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
/// ``ConnectionInfo/reason`` says which won, and the outcome of the other. When the winner's connection is lost, the next
/// request races again.
public final class RacingTransport: HTTPTransport, ResponsiveTransport {
  public let origin: Origin
  let first: any SteerableTransport
  let second: any HTTPTransport
  let knowledge: OriginKnowledge
  let logger: Logger
  let metrics: RaceMetrics
  let state = Mutex(RacingState())
  /// The time for which a first that lost may continue.
  let patience: Duration
  /// The head start where nothing is known.
  private let headStart: Duration
  /// The reason for which HTTP/3 takes no part; nil where it does.
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
  ///   - network: returns the network that this machine is on.
  ///   - networkChanges: reports from now on when that may have changed.
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
    knowledge = OriginKnowledge(first.origin, in: memory)
    self.network = { [isLoopback = first.origin.isLoopback] in isLoopback ? "local" : network() }
    self.networkChanges = networkChanges
    self.headStart = headStart
    self.patience = patience
    self.clock = clock
    self.logger = logger
    first.watchPath { [weak self] in self?.pathOfFirst($0) }
  }

  deinit {
    state.withLock { $0.stopReturning() }
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
    let (response, lesson) = try await sendToWinner(request, body)
    switch lesson {
    case .none: return response
    case .misdirected:
      // Its chunks were taken.
      if case .stream = body { return response }
      response.body.cancel()
      return try await sendToWinner(request, body).response
    }
  }

  private func sendToWinner(
    _ request: HTTPRequest, _ body: RequestBody
  ) async throws -> (response: TransportResponse, lesson: OriginKnowledge.Lesson) {
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
  package func retireConnection() async {
    guard let winner = state.withLock({ $0.winner }) else { return }
    await transport(winner.side).retireConnection()
    state.withLock { $0.lose(winner, reason: "The connection fell silent.") }
  }

  public func close() async {
    opening.cancel(throwing: TransportError.closedByCaller())
    let unfinished = state.withLock { $0.end() }
    unfinished?.cancelPatience()
    unfinished?.attempts[.first]?.cancel()
    await first.close()
    await second.close()
    await knowledge.flush()
  }

  /// Learns from a response about the place that sent it; an alternative that is none is left for the next request.
  func learn(from response: HTTPResponse, _ winner: RacingState.Winner) -> OriginKnowledge.Lesson {
    let lesson = knowledge.learn(from: response, winner)
    switch lesson {
    case .none: break
    case .misdirected:
      state.withLock { state in
        state.leaveFirst(winner, reason: "The alternative service does not serve this origin.") {
          Task { [first] in await first.retireConnection() }
        }
      }
    }
    return lesson
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

  /// The beginning of the next race, and the destination of HTTP/3 in it.
  func plan(on network: String) -> (plan: RacePlan, service: AlternativeService?) {
    if let exclusion { return (.firstLeftOut(reason: exclusion), nil) }
    let service = knowledge.service(on: network)
    return (knowledge.plan(at: service, on: network, headStart: headStart), service)
  }
}
