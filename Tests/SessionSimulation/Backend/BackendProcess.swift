import EventLedger
import LinkModel
import ReferenceBackend
import ResolveKitCore

/// One life of a backend: its turns, and what it answers. What is pure in the real one is the real one; what is here is its
/// way to the database, and the engine's rounds.
final class BackendProcess {
  let number: Int
  let life: Life
  let agenda: Agenda
  let database: SimulatedDatabase
  let model: ModelScript
  let observe: SessionObserver
  /// Whether other processes have turns too.
  let isShared: Bool
  private let clock: () -> WallTime
  private var runs: [String: TurnRun] = [:]
  private(set) var isStopping = false
  private var watch = TakeoverWatch()
  private var streams: [StreamServer] = []
  /// The number of events that the next stream repeats.
  private var repetition: (count: Int, isShuffled: Bool)?

  init(
    number: Int, isShared: Bool, on agenda: Agenda, _ database: SimulatedDatabase, _ model: ModelScript,
    clock: @escaping () -> WallTime, observe: @escaping SessionObserver
  ) {
    self.number = number
    self.isShared = isShared
    self.agenda = agenda
    self.database = database
    self.model = model
    self.clock = clock
    self.observe = observe
    life = Life(on: agenda)
  }

  var now: WallTime { clock() }
  var leaseDuration: Duration { isShared ? .seconds(10) : .seconds(100 * 365 * 86_400) }
  var holder: String { isShared ? "backend-\(number)" : "backend" }

  /// Looks after what others left.
  func start() {
    guard !isShared else {
      takeRound()
      return poll()
    }
    database.submit(from: life) {
      $0.rows { $0.running }
    } then: { result in
      guard case .success(let turns) = result else {
        // The program does not start, and is started again.
        return self.life.after(milliseconds: 1_000) { self.start() }
      }
      for turn in turns { self.launch(turn.id, turn.requestID, of: turn.sessionID, isNew: false) }
    }
  }

  /// Looks for events that it did not hear of.
  private func poll() {
    for stream in streams { stream.pump() }
    life.after(milliseconds: 1_000) { self.poll() }
  }

  func receive(_ change: LedgerChange) {
    life.run {
      switch change {
      case .signalled(let topic): self.runs[topic]?.post(.signalled)
      case .appended: for stream in self.streams { stream.pump() }
      case .missed, .trimmed, .deleted: break
      }
    }
  }

  /// Lets go of all turns; `then` when that is done.
  func stop(then: @escaping () -> Void) {
    isStopping = true
    for id in runs.keys.sorted() { runs[id]?.post(.stopped) }
    waitForRuns(then)
  }

  private func waitForRuns(_ then: @escaping () -> Void) {
    guard !runs.isEmpty else { return then() }
    life.after(milliseconds: 20) { self.waitForRuns(then) }
  }

  func forget(_ turn: String) { runs[turn] = nil }

  /// The process is gone.
  func end() {
    life.end()
    runs = [:]
    streams = []
  }

  // MARK: Streams

  func add(_ stream: StreamServer) {
    streams.removeAll(where: \.isOver)
    streams.append(stream)
  }

  func repeatEvents(_ count: Int, isShuffled: Bool) { repetition = (min(max(count, 0), 100), isShuffled) }

  func takeRepetition() -> (count: Int, isShuffled: Bool)? {
    defer { repetition = nil }
    return repetition
  }

  // MARK: Rounds

  private func takeRound() {
    guard !isStopping else { return }
    for id in runs.keys.sorted() { runs[id]?.renew() }
    let start = agenda.now
    database.submit(from: life) { database in
      (abandoned: database.abandonedSessions, unclaimed: database.rows { $0.unclaimed })
    } then: { result in
      // A database that was stopped answers late, and others as late.
      let isLate = self.agenda.now - start >= self.leaseDuration.nanoseconds
      guard !isLate, case .success(let left) = result else { return self.watch.failed() }
      for session in self.watch.found(abandoned: left.abandoned, unclaimed: left.unclaimed) { self.takeUp(session) }
    }
    life.after(milliseconds: 10_000 / TakeoverWatch.roundsPerLease) { self.takeRound() }
  }

  private func takeUp(_ session: String) {
    database.submit(from: life) {
      $0.rows { $0.running(in: session) }
    } then: { result in
      guard case .success(let running) = result else { return }
      if let running { return self.launch(running.id, running.requestID, of: session, isNew: false) }
      self.visit(session)
    }
  }

  func launch(_ turn: String, _ request: String, of session: String, isNew: Bool) {
    guard !isStopping, runs[turn] == nil else { return }
    let run = TurnRun(turn, request, of: session, isNew: isNew, in: self)
    runs[turn] = run
    run.begin()
  }

  // MARK: Requests

  /// Makes the session, or takes it up.
  func open(_ session: String, then: @escaping (Result<(String, Bool), RequestFailure>) -> Void) {
    database.submit(from: life) {
      $0.rows { $0.open(session) }
    } then: { result in
      then(result.map { (session, $0) }.mapError { _ in Self.cannotStore })
    }
  }

  /// Begins a turn; one whose terminal event is out is waited for.
  func begin(
    _ turn: String, of session: String, request: String, text: String, isSecondTry: Bool = false,
    then: @escaping (Result<String, RequestFailure>) -> Void
  ) {
    database.submit(from: life) { database -> (TurnStore.Beginning, SessionRows.Turn?) in
      let beginning = database.rows {
        $0.begin(turn, in: session, requestID: request, text: text)
      }
      if case .began = beginning { database.note(.turnBegun(turn: turn, request: request, text: text), of: session) }
      return (beginning, database.rows { $0.running(in: session) })
    } then: { result in
      switch result {
      case .failure: then(.failure(Self.cannotStore))
      case .success((.began, _)):
        self.launch(turn, request, of: session, isNew: true)
        then(.success(turn))
      case .success((.repeated(let known), let running)):
        // Its beginning is stored, and the caller did not learn of it.
        if let running, running.id == known, running.fence == 0 {
          self.launch(known, request, of: session, isNew: true)
        }
        then(.success(known))
      case .success((.busy, let running)):
        guard !isSecondTry, let running else { return then(.failure(Self.busy)) }
        self.waitForEnding(of: running.id, in: session, tries: 400) { hasEnded in
          guard hasEnded else { return then(.failure(Self.busy)) }
          self.begin(turn, of: session, request: request, text: text, isSecondTry: true, then: then)
        }
      case .success((.full, _)), .success((.inactive, _)):
        then(.failure(RequestFailure(status: 410, message: "Session expired")))
      }
    }
  }

  private func waitForEnding(of turn: String, in session: String, tries: Int, then: @escaping (Bool) -> Void) {
    database.submit(from: life) { database in
      let isRunning = database.rows { $0.turn(turn)?.status == .running }
      let last = database.events(ofTurn: turn, in: session).last?.event.type
      return (isRunning, last.map(EventPayload.terminalTypes.contains) ?? false)
    } then: { result in
      guard case .success((let isRunning, let isTold)) = result, isTold || !isRunning else { return then(false) }
      guard isRunning, tries > 0 else { return then(true) }
      self.life.after(milliseconds: 50) { self.waitForEnding(of: turn, in: session, tries: tries - 1, then: then) }
    }
  }

  func take(
    _ payload: ResolveKitToolResultPayload, of session: String, then: @escaping (Result<Bool, RequestFailure>) -> Void
  ) {
    let outcome: ReferenceBackend.CallOutcome =
      payload.status == .success
      ? .success(payload.result?.jsonText ?? "null") : .failure(payload.error ?? "Unknown error")
    let key = CallKey(sessionID: session, turnID: payload.turnID, callID: payload.callID)
    database.submit(from: life) { database in
      let delivery = database.rows { $0.take(outcome, for: key, idempotencyKey: payload.idempotencyKey) }
      if delivery == .accepted { database.signal(key.turnID) }
      database.note(
        .resultTaken(
          turn: key.turnID, call: key.callID, key: payload.idempotencyKey,
          outcome: payload.result?.jsonText ?? payload.error ?? "",
          verdict: "\(delivery)"), of: session)
      return delivery
    } then: { result in
      switch result {
      case .failure: then(.failure(Self.cannotStore))
      case .success(.notPending):
        then(.failure(RequestFailure(status: 404, message: "No pending tool call with this ID")))
      case .success(.accepted): then(.success(false))
      case .success(.duplicate): then(.success(true))
      }
    }
  }

  func history(of session: String, then: @escaping (Result<[HistoryMessage], RequestFailure>) -> Void) {
    database.submit(from: life) {
      $0.rows { $0.messages[session] ?? [] }
    } then: { result in
      then(
        result.map { messages in
          messages.enumerated().map { HistoryMessage(id: "m\($0)", role: $1.role, content: $1.content) }
        }.mapError { _ in Self.cannotStore })
    }
  }

  func cancel(_ turn: String) {
    database.submit(from: life) { database in
      if database.rows({ $0.interrupt(turn) }) { database.signal(turn) }
    } then: { _ in
    }
  }

  private static let cannotStore = RequestFailure(
    status: 503, message: "The server cannot store anything at the moment", retryAfterSeconds: 5)
  private static let busy = RequestFailure(status: 409, message: "A turn is already in progress")
}
