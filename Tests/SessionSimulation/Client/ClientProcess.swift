import EventStream
import LinkModel
import ResolveKitCore
import ResolveKitSession
import StreamTransport

/// One life of the client: performs what the real turn machine asks for, as the session's shell does. Machine, inbox, gate
/// and clock are the shell's own.
final class ClientProcess {
  /// A process's surroundings.
  struct Surroundings {
    /// The one that a backend gives it.
    let session: String
    let agenda: Agenda
    let link: SimulatedLink
    let disk: ClientDisk
    let clock: ClientClock
    let schedule: SessionSchedule
    let observe: (Observation) -> Void
    /// Asks a person; the answer goes to the process's `decide`.
    let ask: (ClientProcess, ResolveKitApprovalRequest) -> Void
  }

  let life: Life
  private let around: Surroundings
  private var generator: SeededGenerator
  private(set) var machine = TurnMachine()
  private var inbox = EventInbox()
  private var gate = DurabilityGate()
  private var clock: SessionClock
  private let journals: ClientJournals
  private let streamSeed: UInt64
  private let requestSeed: UInt64
  private lazy var timers = ClientTimers(life: life, now: time, report: take)
  private lazy var stream = EventStreamClient(
    of: around.session, on: around.agenda, life: life, around.link, seed: streamSeed, reports: reports,
    observe: around.observe)
  private lazy var tools = ClientTools(life: life, around.schedule, observe: around.observe) {
    [weak self] key, outcome in
    self?.handle(.toolFinished(key, outcome, at: self?.now ?? 0))
  }
  private lazy var requests = ClientRequests(
    of: around.session, life: life, around.link, seed: requestSeed, now: time, observe: around.observe, report: take)
  /// Results that were sent and whose outcome is not known.
  private var undelivered: Set<ToolCallKey> = []
  /// Things done until the process is killed, and what then.
  private var death: (steps: Int, body: () -> Void)?

  init(_ around: Surroundings, seed: UInt64) {
    self.around = around
    generator = SeededGenerator(seed: seed)
    life = Life(on: around.agenda)
    clock = around.clock.sessionClock()
    let (life, disk, observe) = (life, around.disk, around.observe)
    let every = around.schedule.setting.compactsEvery
    var report: (JournalWriter) -> Void = { _ in }
    var seeds = generator
    (streamSeed, requestSeed) = (generator.next(), generator.next())
    journals = ClientJournals(disk: disk) { session throws(JournalError) in
      let writer = try JournalWriter(of: session, on: disk, life: life, seed: seeds.next(), compactsEvery: every)
      writer.onDurable = { for fact in $0.compactMap(Observation.init(durable:)) { observe(fact) } }
      // What a process finds on the disk is there.
      for fact in Observation.durable(in: writer.image) { observe(fact) }
      report(writer)
      return writer
    }
    report = { [weak self] writer in
      writer.onReach = { [weak self, weak writer] place in if let writer { self?.reach(place, of: writer) } }
    }
  }

  var now: MonotonicNanoseconds { clock.now() }
  /// The time, and what takes events, for parts that outlast the process.
  private var time: () -> MonotonicNanoseconds { { [weak self] in self?.now ?? 0 } }
  private var take: (TurnEvent) -> Void { { [weak self] in self?.handle($0) } }
  var connection: StreamConnection? { stream.connection }
  /// Whether a request is not answered yet, or a result waits to be sent again.
  var isWaiting: Bool { requests.pending > 0 || !undelivered.isEmpty }

  /// Calls `body`, which ends the process, when so many more things are done.
  func end(inSteps steps: Int, _ body: @escaping () -> Void) { death = (max(1, steps), body) }

  /// Calls nothing off but an end that was to come.
  func stayAlive() { death = nil }

  private func countStep() {
    guard let next = death else { return }
    death?.steps = next.steps - 1
    guard next.steps <= 1 else { return }
    death = nil
    next.body()
  }

  /// The process is gone.
  func die(kept share: Double) {
    life.end()
    stream.close()
    journals.crash(kept: share)
  }

  // MARK: The person's orders

  func start() {
    around.observe(.clientStarted)
    startSession()
  }

  private func startSession() {
    guard Self.isOver(machine.connectionState) else { return }
    let image: SessionImage?
    do {
      image = try journals.takeUp(machine.sessionID, at: now, wall: around.clock.wall)
    } catch { return around.observe(.fault("the journal is refused: \(error)")) }
    handle(.startRequested(tools: ClientTools.policies))
    if let image { restore(image) }
  }

  /// Starts the session again, the only remedy after a failure.
  func startAgain() { startSession() }

  func stop() {
    stream.close()
    handle(.stopRequested)
    tools.cancelAll()
    leaveJournals()
    life.end()
  }

  func send(_ message: OutgoingMessage) {
    if machine.refusal(of: message.text) == nil {
      around.observe(.messageTaken(request: message.requestID, text: message.text))
    }
    handle(.sendRequested(message, at: now))
  }

  func retry(newID: () -> String) {
    guard !machine.isTurnInProgress, let left = machine.left else { return }
    switch left.arrival {
    case .ended: send(OutgoingMessage(requestID: newID(), text: left.message.text))
    case .no, .unknown, .running: send(left.message)
    }
  }

  func cancelTurn() {
    if let request = machine.turnRequestID { around.observe(.cancelled(request: request)) }
    handle(.cancelRequested(at: now))
  }

  func decide(_ decision: ApprovalDecision, on question: ResolveKitApprovalRequest, only: [String]?) {
    let approves =
      switch decision {
      case .approveOnce, .approveForSession, .approveAlways: true
      case .deny, .denyAlways: false
      }
    around.observe(
      .decided(
        batch: question.batchID, turn: question.turnID, calls: only ?? question.calls.map(\.callID),
        approves: approves, isForSession: decision == .approveForSession))
    handle(.approvalDecided(decision, on: question, only: only, at: now))
  }

  private func restore(_ image: SessionImage) {
    let wall = around.clock.wall
    clock.resume(from: image.time, after: wall > image.updatedAt ? wall - image.updatedAt : 0)
    let calls = image.calls.map(\.call.key).filter { $0.turnID == image.turn?.knownID }
    around.observe(
      .clientRestored(
        cursor: image.cursor, turn: image.turn?.knownID, text: image.turn?.text ?? "", calls: calls.map(\.callID)))
    handle(.restored(image, at: now))
  }

  // MARK: The machine

  private func handle(_ event: TurnEvent) {
    guard inbox.enter(event) else { return }
    while let event = inbox.next(), !life.isOver {
      let actions = machine.handle(event)
      keep(machine.record)
      for action in actions where !life.isOver && gate.admits(action) { perform(action) }
    }
  }

  private func keep(_ entries: [JournalEntry]) {
    guard !entries.isEmpty else { return }
    for entry in entries {
      if case .cursorDropped = entry { around.observe(.cursorForgotten) }
    }
    switch journals.keep(entries, at: now, wall: around.clock.wall) {
    case .nothing: break
    case .record(let place): gate.append(place)
    case .restart(let place): gate.restart(at: place)
    }
    countStep()
  }

  private func reach(_ place: Int, of journal: JournalWriter) {
    guard journals.isInUse(journal) else { return }
    gate.reach(place)
    for key in gate.readyStarts { handle(.deadlinePassed(.toolCall(key), at: now)) }
    while !life.isOver, let action = gate.next() { perform(action) }
  }

  private func perform(_ action: TurnAction) {
    if let shown = Observation(showing: action) { around.observe(shown) }
    switch action {
    case .register: requests.register()
    case .createSession: requests.createSession { self.use($0, isReused: $1) }
    case .openStream(let generation, let cursor): stream.open(generation, cursor: cursor)
    case .closeStream: stream.close()
    case .retryStreamNow: life.after(milliseconds: 0) { self.stream.retryNow() }
    case .retryAfterBackoff(let step, let attempt, let seconds):
      requests.retry(step, attempt: attempt, atLeast: seconds)
    case .postMessage(let message): requests.post(message)
    case .stopTurn(let turn): requests.stopTurn(turn)
    case .deliverResult(let key, let payload):
      undelivered.insert(key)
      requests.deliver(payload, for: key)
    case .resultSettled(let key, _): undelivered.remove(key)
    case .loadHistory: requests.loadHistory()
    case .startTool(let call): tools.start(call)
    case .cancelTool(let key): cancelTool(key)
    case .consultPolicy(let call): handle(.policyDecided(call.key, nil, at: now))
    case .askApproval(let question): around.ask(self, question)
    case .scheduleDeadline(let deadline, let moment): timers.set(deadline, at: moment)
    case .cancelDeadline(let deadline): timers.cancel(deadline)
    case .setConnectionState(let state, _, _):
      // What was taken up has not met its backend: the next start reads it again.
      if Self.isOver(state), machine.isRestored { leaveJournals() }
    case .eventApplied, .advanceCursor, .refuseMessage, .showDelivery, .turnIdentified, .appendText, .replaceText,
      .turnFinished, .showBatch, .toolStatusChanged, .withdrawApproval, .keepApproval, .showHistory,
      .showForeignAnswer, .showHumanMessage, .sessionEscalated, .feedbackRequested, .note:
      break
    }
    countStep()
  }

  /// A tool that waits for the journal never starts; its place is free at once.
  private func cancelTool(_ key: ToolCallKey) {
    tools.cancel(key)
    guard gate.withdrawStart(of: key) else { return }
    handle(.toolFinished(key, .failure("Cancelled before it started"), at: now))
  }

  /// Keeps nothing more, and forgets what waited for that.
  private func leaveJournals() {
    gate = DurabilityGate()
    journals.leave()
  }

  /// The session is about to be used.
  private func use(_ session: String, isReused: Bool) {
    do {
      if let image = try journals.prepare(session, at: now, wall: around.clock.wall) { restore(image) }
    } catch {
      return handle(.journalFailed(RequestFailure(code: error.code.rawValue, message: error.message)))
    }
    handle(.sessionCreated(sessionID: session, isReused: isReused))
  }

  static func isOver(_ state: ResolveKitConnectionState) -> Bool {
    switch state {
    case .idle, .failed, .blocked: true
    case .registering, .connecting, .active, .reconnecting, .reconnected: false
    }
  }

  private var reports: EventStreamClient.Reports {
    EventStreamClient.Reports(
      connecting: { [weak self] in self?.handle(.streamConnecting(generation: $0, attempt: $1)) },
      opened: { [weak self] in self?.handle(.streamOpened(generation: $0, at: self?.now ?? 0)) },
      event: { [weak self] generation, event in
        self?.handle(
          .streamEvent(
            StreamEvent(
              generation: generation, id: event.hasOwnID ? event.lastEventID : "", type: event.type, data: event.data,
              arrivedAt: self?.now ?? 0)))
      },
      ended: { [weak self] in
        self?.handle(.streamEnded(generation: $0, isClean: $1, reason: "it ended", resumesAtOnce: $2))
      },
      refused: { [weak self] in self?.handle(.streamRefused(generation: $0, $1)) })
  }
}
