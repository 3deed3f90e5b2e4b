import Dispatch
package import EventLedger
package import Hummingbird
import JSONService
package import Logging

/// The backend without sockets: its database, turns and routes.
package final class BackendCore: Sendable {
  private let storage: BackendStorage
  private let services: BackendServices
  private let model: any ModelAdapter
  private let logger: Logger
  private let subscription: LedgerNews.Subscription

  private static let restored =
    "the database was restored from a backup, or another server has taken over: cursors of what is gone are refused"
  /// Most event streams of all sessions.
  private static let streams = 20_000

  /// Opens the database, and takes up the turns that a former process left running.
  ///
  /// Throws ``BackendError``, or what the database throws.
  package init(
    storage: BackendStorage, apiKeys: [String], operatorKey: String? = nil,
    model: any ModelAdapter, settings: BackendSettings, faults: BackendFaults = BackendFaults(),
    clock: any Clock<Duration>,
    now: @escaping @Sendable () -> WallTime = { .current }, logger: Logger
  ) async throws {
    let keys = APIKeys(apiKeys)
    guard !keys.isEmpty else {
      throw BackendError(.configuration, "A backend needs at least one API key, or nobody could use it.")
    }
    self.storage = storage
    self.model = model
    self.logger = logger
    let stored = SettingStore(storage.rows)
    let appID = try await stored.appID()
    let watch = HistoryWatch(storage.ledger, stored, now: now)
    if try await watch.look() { logger.notice("\(Self.restored)") }
    let log = SessionLog(storage.ledger, watch: watch)
    // Streams outlast a database that is away for a while: their clients could not come back to anything.
    let frames = SessionFrames(storage.ledger, log: log, style: settings.eventIDs)
    let feed = LedgerFeed(
      frames,
      limits: FeedLimits(pollInterval: .seconds(1), readers: Self.streams, failures: 60), clock: clock)
    let turns = TurnEngine(
      model: model, storage: storage, log: log, settings: settings, faults: faults,
      // A session that was handed over takes no more messages, so there must be somebody who takes it, unless the
      // contract's server is to be stood in for.
      offersEscalation: operatorKey != nil || settings.compatibility == .compatible, clock: clock, now: now,
      logger: logger)
    let tokens = SignedTokens(key: try await stored.signingKey())
    services = BackendServices(
      appID: appID, keys: keys, operatorKeys: APIKeys([operatorKey].compactMap(\.self)),
      tokens: CapabilityTokens(tokens: tokens, appID: appID, lifetime: settings.sessionLifetime),
      clientTokens: ClientTokens(tokens: tokens, appID: appID), sessions: SessionStore(storage.rows),
      feedback: FeedbackStore(storage.rows), functions: FunctionStore(storage.rows), turnStore: TurnStore(storage.rows),
      turns: turns, log: log, feed: feed,
      seats: StreamSeats(limitPerClient: settings.streamsPerSession, limit: Self.streams),
      budget: StreamBudget(bytes: settings.streamBytes),
      publisher: EventPublisher(log: log, turns: TurnStore(storage.rows), leases: turns.leases), settings: settings,
      faults: faults, now: now,
      clock: clock, logger: logger)
    // A server may have been restored, or another have taken over, while it was away.
    subscription = storage.ledger.news.subscribe { change in
      guard case .missed = change else { return }
      Task {
        guard await watch.lookAgain(clock: clock) else { return }
        logger.notice("\(Self.restored)")
        frames.forget()
        feed.dismiss()
      }
    }
    // Last: from here on turns run, and nothing may fail any more.
    try await turns.recover()
  }

  /// - Parameter files: A folder whose files are served where the contract has no route; nil for none.
  package func makeResponder(files: String? = nil) -> RouterResponder<BasicRequestContext> {
    BackendRoutes.router(services, files: files).buildResponder()
  }

  /// Drops events older than the retention, except those of running turns, and sessions that were used last before it,
  /// with all that belongs to them.
  package func prune() async throws {
    let (now, settings) = (services.now(), services.settings)
    let running = Dictionary(
      try await services.turnStore.running().map { ($0.sessionID, $0.id) }, uniquingKeysWith: { first, _ in first })
    let old = now - settings.retention
    var events = 0
    var last: SessionStore.Age?
    while case let some = try await services.sessions.sessions(madeBefore: old, after: last, limit: 100), !some.isEmpty
    {
      for session in some {
        events += try await services.log.prune(session.id, before: old, keeping: running[session.id])
      }
      last = some.last
    }
    var sessions = 0
    let unused = now - max(settings.retention, settings.sessionLifetime)
    while case let some = try await services.sessions.markExpired(before: unused), !some.isEmpty {
      for id in some { try await services.log.delete(id) }
      try await services.sessions.remove(some)
      sessions += some.count
    }
    try await services.log.sweep()
    if events + sessions > 0 {
      logger.info("dropped \(events) events and \(sessions) sessions that were older than the retention")
    }
  }

  /// The right to use a session.
  package func token(for sessionID: String) -> String { services.tokens.token(for: sessionID, now: services.now()) }

  package var turns: TurnEngine { services.turns }
  /// Event streams that are open.
  package var streamCount: Int { services.seats.count }
  package var log: SessionLog { services.log }

  /// Ends all event streams gracefully; their clients resume elsewhere or later.
  package func endStreams() {
    services.feed.close()
  }

  /// Stops the turns that still run, as the next start is to find them: one that continues while the requests end would be
  /// cut off later, and be none that can be taken up.
  package func stopTurns() async {
    await services.turns.stop()
  }

  /// Stops the turns and closes the database.
  package func close() async {
    services.feed.close()
    await services.turns.stop()
    await model.shutdown()
    // Waits for readers that continue by tasks: on one of the tasks' own threads it would be what they wait for, where there is
    // one processor.
    let result = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [storage] in continuation.resume(returning: Result { try storage.close() }) }
    }
    if case .failure(let error) = result { logger.error("the database could not be closed: \(error)") }
  }
}
