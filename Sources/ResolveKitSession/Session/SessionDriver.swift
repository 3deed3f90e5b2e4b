import EventStream
import Foundation
import Logging
package import ResolveKitCore
import ResolveKitNetworking
package import StreamTransport

/// Performs what the turn machine asks for, and tells it what came of it. It decides nothing itself.
///
/// Every outcome comes back through ``handle(_:)``. An event's actions are performed without a suspension in between,
/// so that nothing is ever half applied.
package actor SessionDriver {
  let configuration: ResolveKitConfiguration
  package let transport: any HTTPTransport
  let api: ResolveKitAPIClient
  let functions: FunctionSet
  let hub: UpdateHub
  let logger: Logger
  var deviceID: String

  private(set) var machine: TurnMachine
  private var queue: [TurnEvent] = []
  private var isHandling = false
  private var isAttentive = false
  package private(set) var connectionState: ResolveKitConnectionState = .idle
  private(set) var connectionReason: String?
  private var settling: [CheckedContinuation<Void, Never>] = []
  private var random = SystemRandomNumberGenerator()

  /// The journal of the session in use, and of the one that is about to be.
  var journal: SessionJournal?
  var nextJournal: SessionJournal?
  /// The end of the journals that were left.
  var closing: Task<Void, Never>?
  /// How often the driver was stopped: a start that waits meanwhile is over.
  var stops = 0
  /// The journal's last place, and how far it is on the disk.
  var keptPlace = 0
  var reachedPlace = 0
  /// Actions that wait until what they are built on is on the disk, in order.
  var undone: [UndoneAction] = []
  /// The session's time less this machine's monotonic clock: it goes on where the journal of an earlier process ended.
  var clockShift: Int64 = 0
  var suspension = SuspensionWatch()
  /// A new session was asked for, so no journal is taken up.
  var startsAnew = false

  var session: ResolveKitSession?
  var createdSessions = 0
  var sentContext: ContextUpdateRequest?
  var transportKind: TransportKind?
  /// How long the stream waits before it is tried again; nil but while that is published.
  var nextTry: Duration?
  private var lastUpdate: ResolveKitConnectionUpdate?
  /// Why HTTP/3 is not used, in the race's words.
  var fallbackReason: String?
  /// The locale that the app set at runtime, in the place of the configuration's.
  var chosenLocale: String?
  /// Renews the capability token before it ends.
  var renewal: Task<Void, Never>?
  var feedback = FeedbackPrompt()
  /// When a session was taken up of which nothing is known here, by the server's clock: its stream tells all from the
  /// start. nil for any other session.
  var takenUpAt: Date?
  /// Messages that were shown from the history, which events may repeat.
  var shownMessages: Set<String> = []
  /// The session that a person has taken over.
  var escalatedSession: String?
  /// A stream's refusal that waits while the history is read in its place.
  var heldRefusal: (generation: Int, failure: RequestFailure)?
  var streamTask: Task<Void, Never>?
  /// What that task reads.
  var stream: ResolveKitEventStream.Iterator?
  var deadlines: [TurnDeadline: Task<Void, Never>] = [:]
  var runningTools: [ToolCallKey: ToolRun] = [:]
  var calls: [Int: Task<Void, Never>] = [:]
  private var nextCall = 0

  package init(
    configuration: ResolveKitConfiguration, transport: any HTTPTransport, functions: FunctionSet, deviceID: String,
    hub: UpdateHub
  ) {
    self.configuration = configuration
    self.transport = transport
    self.functions = functions
    self.deviceID = deviceID
    self.hub = hub
    logger = configuration.logger
    var policy = TurnPolicy()
    policy.maximumRunningTools = max(configuration.maximumConcurrentTools, 1)
    machine = TurnMachine(policy: policy)
    api = ResolveKitAPIClient(
      baseURL: configuration.baseURL, transport: transport, apiKeyProvider: configuration.apiKeyProvider,
      timeouts: configuration.timeouts, clock: configuration.clock, logger: configuration.logger)
  }

  var isTurnInProgress: Bool { machine.isTurnInProgress }

  /// Tells the machine what happened and does what it asks for.
  ///
  /// An event that an action causes at once, such as a policy's decision, waits until all actions before it are done.
  func handle(_ event: TurnEvent) {
    queue.append(event)
    guard !isHandling else { return }
    isHandling = true
    defer { isHandling = false }
    while !queue.isEmpty {
      let actions = machine.handle(queue.removeFirst())
      keep(machine.record)
      for action in actions { performDurably(action) }
    }
    // While a turn runs, silence is looked into soon.
    if machine.isTurnInProgress != isAttentive {
      isAttentive.toggle()
      transport.setAttentive(isAttentive)
    }
  }

  /// Forgets session, turn and cursor.
  func forgetSession() {
    machine = machine.successor()
    session = nil
    createdSessions = 0
    sentContext = nil
    leaveSession()
  }

  /// Waits while the connection is on its way to its first open stream, or to its end.
  func settled() async {
    await withCheckedContinuation { waiter in
      switch connectionState {
      case .idle, .active, .reconnected, .failed, .blocked: waiter.resume()
      case .registering, .connecting, .reconnecting: settling.append(waiter)
      }
    }
  }

  /// Starts a task for a call whose outcome comes back as an event; stopping the driver cancels it.
  func start(_ call: @escaping @Sendable (SessionDriver) async -> Void) {
    nextCall += 1
    let id = nextCall
    calls[id] = Task {
      await call(self)
      self.calls[id] = nil
    }
  }

  func perform(_ action: TurnAction) {
    switch action {
    case .setConnectionState(let state, let attempt, let reason): publish(state, attempt: attempt, reason: reason)
    case .register: start { await $0.register() }
    case .createSession: start { await $0.createSession() }
    case .openStream(let generation, let cursor): openStream(generation, cursor: cursor)
    case .closeStream: closeStream()
    case .hastenStream: start { await $0.stream?.hasten() }
    case .retryAfterBackoff(let step, let attempt, let seconds): retry(step, attempt: attempt, atLeast: seconds)

    case .eventApplied(let event): publish(event)
    case .advanceCursor(let cursor): logger.trace("cursor", metadata: ["id": "\(cursor)"])

    case .postMessage(let message): start { await $0.post(message) }
    case .stopTurn(let turnID): start { await $0.stopTurn(turnID) }
    case .refuseMessage(let requestID, let reason): refuse(requestID: requestID, reason: reason)
    case .showDelivery(let message, let delivery): show(delivery, of: message)
    case .turnIdentified(let requestID, let turnID):
      logger.debug("turn identified", metadata: ["request_id": "\(requestID)", "turn_id": "\(turnID)"])
    case .appendText(let turnID, let text): hub.send(.text(turnID: turnID, appended: text))
    case .replaceText(let turnID, let text): hub.send(.textCorrected(turnID: turnID, text: text))
    case .turnFinished(let result):
      publish(result)
      feedback.turnEnded(result.status == .complete)

    case .showBatch(let batch): hub.send(.batch(batch))
    case .toolStatusChanged(let key, let name, let status):
      hub.send(.tool(callID: key.callID, name: name, status: status))
    case .consultPolicy(let call): consultPolicy(call)
    case .askApproval(let question): hub.send(.approvalNeeded(question))
    case .withdrawApproval(let batchID): hub.send(.approvalWithdrawn(batchID: batchID))
    case .keepApproval(let approval): keep(approval)
    case .startTool(let call): run(call)
    case .cancelTool(let key): cancelTool(key)
    case .deliverResult(let key, let payload): start { await $0.deliver(payload, for: key) }
    case .resultSettled(let key, let delivery): log(delivery, of: key)

    case .loadHistory: start { await $0.loadHistory() }
    case .showHistory(let messages): show(messages)
    case .showForeignAnswer(let turnID, let text):
      hub.send(.message(ResolveKitChatMessage(id: turnID, role: .assistant, text: text)))
    case .showHumanMessage(let messageID, let text):
      showHuman(messageID, text)
    case .sessionEscalated(let reason): escalate(reason)
    case .feedbackRequested(let immediate, let timestamp):
      if !isPast(timestamp) { feedbackRequested(immediate: immediate) }

    case .scheduleDeadline(let deadline, let at): schedule(deadline, at: at)
    case .cancelDeadline(let deadline): deadlines.removeValue(forKey: deadline)?.cancel()
    case .note(let note): publish(note)
    }
  }

  // MARK: Connection and time

  func note(_ connection: ConnectionInfo) {
    transportKind = connection.transport
    switch connection.transport {
    case .http1: fallbackReason = connection.reason
    case .http3: fallbackReason = nil
    }
  }

  private func publish(_ state: ResolveKitConnectionState, attempt: Int, reason: String?) {
    connectionState = state
    connectionReason = reason
    let update = ResolveKitConnectionUpdate(
      state: state, attempt: attempt, nextTry: nextTry, reason: reason ?? fallbackReason, transport: transportKind)
    lastUpdate = update
    hub.send(.connection(update))
    switch state {
    case .registering, .connecting, .reconnecting: return
    case .active, .reconnected: break
    // Nothing is left to be renewed.
    case .idle, .failed, .blocked:
      renewal?.cancel()
      // What was taken up has not met its backend: the next start reads it again.
      if machine.isRestored { leaveJournals() }
    }
    let waiting = settling
    settling = []
    for continuation in waiting { continuation.resume() }
  }

  /// Waits as long as after that many failures in a row.
  private func retry(_ step: RetryStep, attempt: Int, atLeast seconds: Int?) {
    let delay = max(backoff(attempt: attempt), .seconds(seconds ?? 0))
    // The machine told that it is lost; how long it waits is known only now.
    if var update = lastUpdate, update.state == .reconnecting || update.state == .connecting {
      update.nextTry = delay
      hub.send(.connection(update))
    }
    start { [clock = configuration.clock] driver in
      guard (try? await clock.sleep(delay)) != nil else { return }
      await driver.handle(.retryDue(step))
    }
  }

  private func backoff(attempt: Int) -> Duration {
    var backoff = Backoff()
    for _ in 1..<min(max(attempt, 1), 16) {
      _ = backoff.delay(after: .refused(retryAfter: nil), using: &random)
    }
    return backoff.delay(after: .refused(retryAfter: nil), using: &random)
  }

  private func schedule(_ deadline: TurnDeadline, at moment: MonotonicNanoseconds) {
    deadlines.removeValue(forKey: deadline)?.cancel()
    let now = now()
    let wait = Duration.nanoseconds(Int64(clamping: moment > now ? moment - now : 0))
    deadlines[deadline] = Task { [clock = configuration.clock] in
      // A cancelled sleep: the deadline was withdrawn, or set anew.
      guard (try? await clock.sleep(wait)) != nil, !Task.isCancelled else { return }
      self.deadlines[deadline] = nil
      self.handle(.deadlinePassed(deadline, at: max(moment, self.now())))
    }
  }
}
