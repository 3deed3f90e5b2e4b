import EventStream
import Foundation
import Logging
import ResolveKitCore
import ResolveKitNetworking
package import StreamTransport

/// Performs what the turn machine asks for, and reports the outcomes to it. It decides nothing itself.
///
/// Every outcome comes back through ``handle(_:)``. An event's actions are performed without a suspension in between,
/// so that nothing is ever half applied. What the driver performs with is its parts' duty; how the parts work together is
/// the driver's.
package actor SessionDriver {
  let configuration: ResolveKitConfiguration
  package let transport: any HTTPTransport
  let api: ResolveKitAPIClient
  private(set) var machine: TurnMachine
  private var inbox = EventInbox()
  /// The number of times that the driver was stopped: a start that waits meanwhile is over.
  var stops = 0

  var status = ConnectionStatus()
  var client: ClientProfile
  var session = ServerSession()
  var renewal: TokenRenewal
  var stream = StreamReader()
  private var calls = PendingCalls()
  private var deadlines = DeadlineTimers()
  var clock = SessionClock()
  var journals: SessionJournals
  var tools: ToolRunner

  var handover = Handover()
  var publisher: SessionPublisher

  package init(
    configuration: ResolveKitConfiguration, transport: any HTTPTransport, functions: FunctionSet, deviceID: String,
    hub: UpdateHub
  ) {
    self.configuration = configuration
    self.transport = transport
    publisher = SessionPublisher(hub, clock: configuration.clock, logger: configuration.logger)
    var policy = TurnPolicy()
    policy.maximumRunningTools = max(configuration.maximumConcurrentTools, 1)
    machine = TurnMachine(policy: policy)
    api = ResolveKitAPIClient(
      baseURL: configuration.baseURL, transport: transport, apiKeyProvider: configuration.apiKeyProvider,
      timeouts: configuration.timeouts, clock: configuration.clock, logger: configuration.logger)
    client = ClientProfile(configuration, functions: functions, deviceID: deviceID)
    journals = SessionJournals(configuration.journal, server: configuration.approvalServer)
    tools = ToolRunner(functions: functions, clock: configuration.clock)
    renewal = TokenRenewal(clock: configuration.clock)
  }

  var logger: Logger { configuration.logger }

  /// Reports an event to the machine, and performs what it asks for.
  func handle(_ event: TurnEvent) {
    guard inbox.enter(event) else { return }
    let wasInProgress = machine.isTurnInProgress
    while let event = inbox.next() {
      let actions = machine.handle(event)
      if !machine.record.isEmpty { journals.keep(machine.record, at: clock.now()) }
      for action in actions {
        if journals.admits(action) { perform(action) }
      }
    }
    // While a turn runs, silence is looked into soon.
    if machine.isTurnInProgress != wasInProgress { transport.setResponseExpected(machine.isTurnInProgress) }
  }

  private func perform(_ action: TurnAction) {
    switch action {
    case .setConnectionState(let state, let attempt, let reason): publish(state, attempt: attempt, reason: reason)
    case .register: start { await $0.register() }
    case .createSession: start { await $0.createSession() }
    case .openStream(let generation, let cursor): openStream(generation, cursor: cursor)
    case .closeStream: stream.close()
    case .retryStreamNow: start { await $0.stream.retryNow() }
    case .retryAfterBackoff(let step, let attempt, let seconds): retry(step, attempt: attempt, atLeast: seconds)

    case .eventApplied(let envelope, let id, let arrivedAt):
      publisher.publish(envelope, id: id, arrivedAt: clock.monotonicTime(arrivedAt))
    case .advanceCursor(let cursor): logger.trace("cursor", metadata: ["id": "\(cursor)"])

    case .postMessage(let message): start { await $0.post(message) }
    case .stopTurn(let turnID): start { await $0.stopTurn(turnID) }
    case .refuseMessage(let requestID, let reason): publisher.refuse(requestID: requestID, reason: reason)
    case .showDelivery(let message, let delivery): publisher.show(delivery, of: message)
    case .turnIdentified(let requestID, let turnID):
      logger.debug("turn identified", metadata: ["request_id": "\(requestID)", "turn_id": "\(turnID)"])
    case .appendText(let turnID, let text): publisher.send(.text(turnID: turnID, appended: text))
    case .replaceText(let turnID, let text): publisher.send(.textCorrected(turnID: turnID, text: text))
    case .turnFinished(let result): publisher.publish(result)

    case .showBatch(let batch): publisher.send(.batch(batch))
    case .toolStatusChanged(let key, let name, let status):
      publisher.send(.tool(callID: key.callID, name: name, status: status))
    case .consultPolicy(let call): consultPolicy(call)
    case .askApproval(let question): publisher.send(.approvalNeeded(question))
    case .withdrawApproval(let batchID): publisher.send(.approvalWithdrawn(batchID: batchID))
    case .keepApproval(let approval): keep(approval)
    case .startTool(let call): run(call)
    case .cancelTool(let key): cancelTool(key)
    case .deliverResult(let key, let payload): start { await $0.deliver(payload, for: key) }
    case .resultSettled(let key, let delivery): publisher.log(delivery, of: key)

    case .loadHistory: start { await $0.loadHistory() }
    case .showHistory(let messages): publisher.show(messages)
    case .showForeignAnswer(let turnID, let text):
      publisher.send(.message(ResolveKitChatMessage(id: turnID, role: .assistant, text: text)))
    case .showHumanMessage(let messageID, let text): showHuman(messageID, text)
    case .sessionEscalated(let reason): escalate(reason)
    case .feedbackRequested(let immediate, let timestamp): requestFeedback(immediate: immediate, sentAt: timestamp)

    case .scheduleDeadline(let deadline, let moment): schedule(deadline, at: moment)
    case .cancelDeadline(let deadline): deadlines.cancel(deadline)
    case .note(let note): publisher.publish(note)
    }
  }

  private func publish(_ state: ResolveKitConnectionState, attempt: Int, reason: String?) {
    publisher.send(.connection(status.change(to: state, attempt: attempt, reason: reason)))
    guard status.isOver else { return }
    // Nothing is left to be renewed.
    renewal.cancel()
    // What was restored has not reached its backend: the next start reads it again.
    if machine.isRestored { journals.leave() }
  }

  /// A person's message, unless the history has shown it already.
  func showHuman(_ messageID: String?, _ text: String) {
    publisher.showHuman(messageID, text, newID: configuration.random.uuid())
  }

  private func requestFeedback(immediate: Bool, sentAt timestamp: String?) {
    publisher.requestFeedback(immediate: immediate, sentAt: timestamp) { [weak self] in await self?.feedbackDelayEnded()
    }
  }

  private func feedbackDelayEnded() {
    // Withdrawn between the end of the wait and this moment.
    guard !Task.isCancelled else { return }
    publisher.showFeedback()
  }

  // MARK: Calls and time

  /// Starts a call whose outcome comes back as an event; stopping the driver cancels it.
  func start(_ call: @escaping @Sendable (SessionDriver) async -> Void) {
    calls.start { id in
      Task {
        await call(self)
        self.calls.end(id)
      }
    }
  }

  /// Returns the timers that were cancelled.
  func cancelCallsAndDeadlines() -> [Task<Void, Never>] {
    calls.cancelAll()
    return deadlines.cancelAll()
  }

  private func schedule(_ deadline: TurnDeadline, at moment: MonotonicNanoseconds) {
    let wait = clock.wait(until: moment)
    let timer = Task { [clock = configuration.clock] in
      guard (try? await clock.sleep(wait)) != nil, self.deadlines.end(of: deadline) else { return }
      self.handle(.deadlinePassed(deadline, at: max(moment, self.clock.now())))
    }
    deadlines.set(deadline, timer)
  }

  /// Waits for the back-off after `attempt` failures in a row.
  private func retry(_ step: RetryStep, attempt: Int, atLeast seconds: Int?) {
    var random = configuration.random
    var backoff = Backoff()
    var delay = backoff.delay(after: .refused(retryAfter: nil), using: &random)
    for _ in 1..<min(max(attempt, 1), 16) { delay = backoff.delay(after: .refused(retryAfter: nil), using: &random) }
    let wait = max(delay, .seconds(seconds ?? 0))
    // That the connection is lost was published before; how long it waits is known only now.
    if let update = status.waiting(wait) { publisher.send(.connection(update)) }
    start { [clock = configuration.clock] driver in
      guard (try? await clock.sleep(wait)) != nil else { return }
      await driver.handle(.retryDue(step))
    }
  }

  // MARK: Tools

  private func run(_ call: ToolCall) {
    tools.start(
      call, session: session.current?.id,
      onProgress: { [weak self] progress in await self?.handle(.toolProgressed(call.key, progress)) },
      onReturn: { [weak self] outcome in await self?.returned(call.key, outcome) })
  }

  private func returned(_ key: ToolCallKey, _ outcome: ToolOutcome) {
    tools.end(of: key)
    handle(.toolFinished(key, outcome, at: clock.now()))
  }

  /// A tool that waits for the journal never starts; its place is free at once.
  private func cancelTool(_ key: ToolCallKey) {
    tools.cancel(key)
    guard journals.withdrawStart(of: key) else { return }
    handle(.toolFinished(key, .failure("Cancelled before it started"), at: clock.now()))
  }

  private func deliver(_ payload: ResolveKitToolResultPayload, for key: ToolCallKey) async {
    guard let session = session.current else { return }
    do {
      let answer = try await api.postToolResult(payload, session: session)
      handle(.resultAccepted(key, deduplicated: answer.deduplicated, at: clock.now()))
    } catch {
      handle(.resultFailed(key, Self.failure(error), at: clock.now()))
    }
  }

  // MARK: Journals

  func take(_ progress: SessionJournal.Progress, of source: SessionJournal) {
    if let error = journals.take(progress, of: source) {
      handle(.journalFailed(RequestFailure(code: error.code.rawValue, message: error.message)))
      // The next start reads what the disk has.
      journals.leave()
    }
    // The machine may have been suspended while a start waited for the disk, and the timer for the call's end with it.
    for key in journals.readyStarts { handle(.deadlinePassed(.toolCall(key), at: clock.now())) }
    while let action = journals.nextReady() { perform(action) }
  }

  // MARK: The session's end

  /// Forgets session, turn and cursor.
  ///
  /// - Parameter isForNew: whether the next one is new, and not one that the server takes up again.
  func forgetSession(isForNew: Bool = false) {
    machine = machine.successor()
    session = ServerSession(mustBeNew: isForNew)
    leaveSession()
  }

  /// Ends what was bound to the session before.
  ///
  /// - Parameter takenUpAt: see ``FeedbackPrompt``.
  func leaveSession(takenUpAt: Date? = nil) {
    renewal.cancel()
    handover = Handover()
    publisher.leaveSession(takenUpAt: takenUpAt)
  }
}
