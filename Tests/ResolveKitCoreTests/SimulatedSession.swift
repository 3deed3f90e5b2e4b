import EventStream

@testable import ResolveKitCore

/// A backend that plays a script and a shell that performs the machine's actions, without time and without a network.
final class SimulatedSession {
  var machine: TurnMachine
  private(set) var journal: [TurnEvent] = []
  var shown = ""
  var appliedIDs: [String] = []
  private(set) var starts: [ToolCallKey: Int] = [:]
  private(set) var deliveries: [ToolCallKey: [ResolveKitToolResultPayload]] = [:]
  private(set) var settled: [ToolCallKey: ResultDelivery] = [:]
  private(set) var finished: [TurnResult] = []
  private(set) var notes: [TurnNote] = []
  private(set) var actions: [TurnAction] = []
  private(set) var connections = 0

  let script: SessionScript
  let policy: TurnPolicy
  var now: MonotonicNanoseconds = 1
  private var resolved: Set<String> = []
  private(set) var isPosted = false
  private var hasSession = false
  private var generation = 0
  var wantsStream = false
  var pending: [TurnEvent] = []
  var deadlines: [(deadline: TurnDeadline, at: MonotonicNanoseconds)] = []

  /// The journal, and how processes end; no journal is kept unless a test asks for it.
  var disk: SimulatedDisk?
  /// The journal's fold, as the process keeps it for compaction.
  var live = SessionImage()
  var isDead = false
  var restarts = 0
  /// Sets the end of the process that has just begun.
  var onRestart: (inout SimulatedDisk) -> Void = { _ in }

  /// Faults. Each is asked once per request: true loses the answer of a request that arrived.
  var losesAnswer: () -> Bool = { false }
  /// The number of events before the cursor that a new stream repeats.
  var overlap: () -> Int = { 0 }
  /// The number of bytes after which each connection is cut; nil: never.
  var nextCut: () -> Int? = { nil }

  init(_ script: SessionScript, policy: TurnPolicy = TurnPolicy()) {
    self.script = script
    self.policy = policy
    machine = TurnMachine(policy: policy)
  }

  static let tools = [
    ToolPolicy(name: "auto", requiresApproval: false, fingerprint: "auto"),
    ToolPolicy(name: "asks", requiresApproval: true, fingerprint: "asks"),
    ToolPolicy(name: "again", requiresApproval: false, fingerprint: "again", isIdempotent: true),
  ]

  func run() throws {
    feed(.startRequested(tools: Self.tools))
    feed(.sendRequested(OutgoingMessage(requestID: script.requestID, text: "hi"), at: now))
    var rounds = 0
    while rounds < 2000, finished.isEmpty || hasMore || isDead {
      rounds += 1
      if isDead { try restart() }
      if wantsStream { try connect() }
      if isDead { continue }
      // Time passes only where nothing else can happen: cuts follow each other faster than any watchdog.
      if !hasMore, !fireDeadline() { break }
    }
  }

  private var logged: [SessionScript.Step] {
    script.steps.filter { if case .event = $0 { true } else { false } }
  }

  /// Ids of the whole script, in order.
  var scriptIDs: [String] {
    logged.compactMap { if case .event(let id, _, _) = $0 { id } else { nil } }
  }

  /// The events that the backend has written so far.
  private var released: [ServerSentEvent] {
    guard isPosted || script.history != nil else { return [] }
    var events: [ServerSentEvent] = []
    for step in script.steps {
      switch step {
      case .event(let id, let type, let data): events.append(ServerSentEvent(type: type, data: data, lastEventID: id))
      case .awaitResult(let callID): if !resolved.contains(callID) { return events }
      case .awaitMessage: if !isPosted { return events }
      }
    }
    return events
  }

  private var hasMore: Bool { released.last?.lastEventID != machine.cursor && !released.isEmpty }

  /// One connection: from the machine's cursor until the cut, or until the backend has nothing more to say.
  private func connect() throws {
    connections += 1
    if connections > 1 { feed(.streamConnecting(generation: generation, attempt: 2)) }
    feed(.streamOpened(generation: generation, at: now))
    let cursor = machine.cursor
    let known = released
    let index = cursor.flatMap { id in known.lastIndex { $0.lastEventID == id } }.map { $0 + 1 } ?? 0
    var position = max(0, index - overlap())
    var budget = nextCut()
    var parser = EventStreamParser()
    var events = released
    while true {
      if position >= events.count {
        events = released
        if position >= events.count, fireDeadline() { events = released }
        if position >= events.count { break }
      }
      var bytes = EventStreamWriter.encode(events[position])
      position += 1
      if let left = budget {
        bytes = Array(bytes.prefix(left))
        budget = left - bytes.count
      }
      for item in try parser.parse(bytes) {
        guard case .event(let event) = item else { continue }
        now += 1
        feed(
          .streamEvent(
            StreamEvent(
              generation: generation, id: event.lastEventID, type: event.type, data: event.data, arrivedAt: now)))
      }
      if budget == 0 || isDead || !wantsStream { break }
    }
    let isClean = connections.isMultiple(of: 2)
    feed(.streamEnded(generation: generation, isClean: isClean, reason: "cut", resumesAtOnce: isClean))
  }

  private func fireDeadline() -> Bool {
    guard !isDead, let next = deadlines.min(by: { $0.at < $1.at }) else { return false }
    deadlines.removeAll { $0.deadline == next.deadline }
    now = max(now, next.at)
    feed(.deadlinePassed(next.deadline, at: now))
    return true
  }

  func feed(_ event: TurnEvent) {
    pending.append(event)
    while !pending.isEmpty, !isDead {
      let event = pending.removeFirst()
      journal.append(event)
      let actions = machine.handle(event)
      keep(machine.record)
      for action in actions where !isDead {
        perform(action)
        countStep()
      }
    }
  }

  private func perform(_ action: TurnAction) {
    actions.append(action)
    switch action {
    case .register: pending.append(.registered)
    case .createSession:
      pending.append(.sessionCreated(sessionID: "session", isReused: hasSession || script.history != nil))
      hasSession = true
    case .openStream(let number, _):
      generation = number
      wantsStream = true
    case .closeStream: wantsStream = false
    case .postMessage(let message):
      isPosted = true
      pending.append(
        losesAnswer()
          ? .messageFailed(requestID: message.requestID, RequestFailure(message: "lost"), at: now)
          : .messageAccepted(requestID: message.requestID, turnID: script.turnID, at: now))
    case .appendText(_, let text): shown += text
    case .replaceText(_, let text): shown = text
    case .turnFinished(let result): finished.append(result)
    case .eventApplied(_, let id, _): appliedIDs.append(id ?? "")
    case .consultPolicy(let call): pending.append(.policyDecided(call.key, nil, at: now))
    case .askApproval(let question):
      pending.append(.approvalDecided(.approveOnce, on: question, only: nil, at: now))
    case .startTool(let call):
      starts[call.key, default: 0] += 1
      countStep()
      pending.append(.toolFinished(call.key, .success(["ran": .string(call.key.callID)]), at: now))
    case .deliverResult(let key, let payload):
      deliveries[key, default: []].append(payload)
      let isKnown = !resolved.insert(key.callID).inserted
      pending.append(
        losesAnswer()
          ? .resultFailed(key, RequestFailure(message: "lost"), at: now)
          : .resultAccepted(key, deduplicated: isKnown, at: now))
    case .resultSettled(let key, let delivery): settled[key] = delivery
    case .loadHistory:
      pending.append(
        script.history.map { .historyLoaded($0, at: now) }
          ?? .historyFailed(RequestFailure(message: "none"), at: now))
    case .scheduleDeadline(let deadline, let at):
      deadlines.removeAll { $0.deadline == deadline }
      deadlines.append((deadline, at))
    case .cancelDeadline(let deadline): deadlines.removeAll { $0.deadline == deadline }
    case .note(let note): notes.append(note)
    case .setConnectionState, .retryStreamNow, .retryAfterBackoff, .advanceCursor, .refuseMessage, .showDelivery,
      .turnIdentified, .showBatch,
      .toolStatusChanged, .withdrawApproval, .keepApproval, .cancelTool, .showHistory, .showForeignAnswer,
      .showHumanMessage,
      .sessionEscalated, .feedbackRequested, .stopTurn:
      break
    }
  }
}
