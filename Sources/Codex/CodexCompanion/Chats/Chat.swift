import EventLedger
import Logging
import ResolveKitCore

/// A chat: its rules, its log, and what it sends to codex.
///
/// Everything that codex says of one chat comes in order, one after the other; what people say comes in between.
actor Chat {
  nonisolated let id: String
  private let services: Services
  private var machine: ChatMachine
  private let log: ChatLog
  /// Whether codex's process has the thread loaded, as far as is known.
  private var isLoaded = false
  /// Whether its project is kept from devices: then nobody can be asked.
  private var isHidden = false
  /// Settings that the next turn is to bring, since codex reads them for new threads alone.
  private var pendingSettings: JSONObject?
  private var held = HeldReports()
  private var joining: Task<Void, any Error>?
  /// The sends: a second one waits for the first, or it would start a turn beside it.
  private var sends = SendQueue()

  /// Takes up the chat from its log. Throws `LedgerError`.
  init(_ id: String, services: Services) async throws {
    self.id = id
    self.services = services
    log = try await ChatLog(
      id, ledger: services.ledger, now: services.now, clock: services.clock, logger: services.logger)
    var machine = ChatMachine(chatID: id)
    try await log.kept { machine.restore($0) }
    self.machine = machine
  }

  var activeTurnID: String? { machine.activeTurnID }
  /// Whether a turn runs, or is about to.
  var isRunning: Bool { machine.activeTurnID != nil || machine.awaitsContinuation }
  var openApprovals: [ApprovalRequest] { machine.openApprovals }
  func hasApproval(_ id: String) -> Bool { machine.hasApproval(id) }

  /// The cursor to follow the events from, beside a history that is read after this. Throws `LedgerError`.
  func latestTurn() async throws -> (cursor: Int64, turnID: String?) { try await log.latestTurn() }

  /// Waits until all events are stored.
  func drain() async { await log.drain() }

  // MARK: codex

  func receive(_ method: String, _ params: JSONObject) async {
    await receive(.notification(method: method, params: params))
  }

  func receive(_ question: CodexQuestion) async { await receive(.question(question)) }

  private func receive(_ report: HeldReports.Report) async {
    switch held.hold(report) {
    case .held: break
    case .full:
      services.logger.warning("codex says too much while a chat is joined", metadata: ["chat": "\(id)"])
      // Or its turn would wait for ever.
      guard case .question(let question) = report else { return }
      await services.link.refuse(question.requestID, "Too much is said while the chat is joined.")
    case .open: await take(report)
    }
  }

  private func take(_ report: HeldReports.Report) async {
    switch report {
    case .notification(let method, let params):
      if method == "thread/closed" { isLoaded = false }
      await perform(machine.receive(method, params))
    case .question(let question): await ask(question)
    }
  }

  /// Asks what a decision would be bound to first, without holding up what else codex says.
  private func ask(_ question: CodexQuestion) async {
    guard let (server, tool) = machine.toolCalled(by: question) else { return await ask(question, definition: nil) }
    Task {
      await ask(question, definition: await services.tools.definition(server: server, tool: tool, chat: id))
    }
  }

  private func ask(_ question: CodexQuestion, definition: JSONValue?) async {
    let (approvals, isHidden) = (services.approvals, isHidden)
    let milliseconds = services.now().microseconds / 1_000
    await perform(
      machine.receive(question, definition: definition, at: milliseconds) {
        approvals.ruling(on: $0, chat: id, isProjectClosed: isHidden)
      })
  }

  func codexDisconnected() {
    isLoaded = false
    machine.connectionLost()
  }

  func codexEnded(reason: String) async {
    isLoaded = false
    await perform(machine.codexEnded(reason: reason))
  }

  /// Subscribes to the thread and takes up what was missed. Throws ``CodexCallError``.
  func join() async throws {
    if let joining { return try await joining.value }
    held.begin()
    let task = Task { try await takeUp() }
    joining = task
    let result = await task.result
    joining = nil
    while let reports = held.release() { for report in reports { await take(report) } }
    try result.get()
  }

  private func takeUp() async throws {
    let answer = try await services.link.call("thread/resume", ["threadId": .string(id), "excludeTurns": true])
    isLoaded = true
    let status = answer["thread"]?.objectValue?["status"]?.objectValue ?? [:]
    let flags = status["activeFlags"]?.arrayValue?.compactMap(\.stringValue) ?? []
    let waits = flags.contains("waitingOnApproval") || flags.contains("waitingOnUserInput")
    await perform(machine.rejoined(try await lastTurn(), waitsForApproval: waits))
  }

  private func lastTurn() async throws -> ChatMachine.KnownTurn? {
    let answer = try await services.link.call(
      "thread/turns/list", ["threadId": .string(id), "limit": 1, "itemsView": "full"])
    return answer["data"]?.arrayValue?.first?.objectValue.flatMap { ChatMachine.KnownTurn($0) }
  }

  // MARK: people

  /// Hides the chat's project from devices, or shows it again. A turn that runs in a hidden one is interrupted, and
  /// what it asks is declined.
  func set(isHidden: Bool) async {
    guard isHidden != self.isHidden else { return }
    self.isHidden = isHidden
    guard isHidden else { return }
    do {
      _ = try await stop()
    } catch {
      services.logger.warning("a turn of a hidden project continues: \(error)", metadata: ["chat": "\(id)"])
    }
    for request in machine.openApprovals {
      do {
        try await decide(request.id, .decline, content: nil, by: nil)
      } catch {
        services.logger.warning("a question of a hidden project waits: \(error)", metadata: ["chat": "\(id)"])
      }
    }
  }

  /// Loads the thread in codex where it is not. Throws ``ChatError``.
  ///
  /// Returns "already_active", "resumed" or "no_rollout", as the contract has them.
  func activate() async throws -> String {
    guard !isLoaded else { return "already_active" }
    do {
      try await join()
      return "resumed"
    } catch let error as CodexCallError where error.message.contains("no rollout found") {
      return "no_rollout"
    } catch {
      throw ChatError(error)
    }
  }

  /// A thread that this connection started is subscribed to, and narrower than the settings ask for until its first turn.
  func startedHere(with settings: JSONObject) {
    isLoaded = true
    pendingSettings = settings
  }

  /// The next turn brings these.
  func settingsChanged(_ settings: JSONObject) {
    pendingSettings = (pendingSettings ?? [:]).merging(settings) { _, new in new }
  }

  /// Sends a message: a new turn, or more for the one that runs. Throws ``ChatError``.
  func send(_ message: MessageInput) async throws -> Receipt {
    let send = sends.begin()
    defer { send.end() }
    await send.turn()
    guard !isHidden else { throw ChatError.chatNotFound }
    if let requestID = message.requestID, let receipt = machine.receipt(ofRequest: requestID) { return receipt }
    do {
      var isNew = false
      if !isLoaded { isNew = try await activate() == "no_rollout" }
      let receipt = try await deliver(message)
      if isNew { await joinNew() }
      guard isHidden else { return receipt }
      // It was hidden while codex took the message.
      _ = try await stop()
      throw ChatError.chatNotFound
    } catch {
      throw ChatError(error)
    }
  }

  /// A thread can be joined once its first turn is in its file, which is a moment after the turn's start.
  private func joinNew() async {
    for _ in 0..<50 {
      do { return try await join() } catch {
        services.logger.debug("a new chat is not joined yet: \(error)", metadata: ["chat": "\(id)"])
      }
      do { try await services.clock.sleep(for: .milliseconds(100)) } catch { return }
    }
    services.logger.error("a new chat could not be joined", metadata: ["chat": "\(id)"])
  }

  private func deliver(_ message: MessageInput) async throws -> Receipt {
    var params: JSONObject = ["threadId": .string(id), "input": .array(message.items)]
    params["clientUserMessageId"] = message.requestID.map { .string($0) }
    if let running = machine.activeTurnID {
      do {
        let steer = params.merging(["expectedTurnId": .string(running)]) { _, new in new }
        let answer = try await services.link.call("turn/steer", steer)
        let turnID = answer["turnId"]?.stringValue ?? running
        return take(message, Receipt(turnID: turnID, mode: .steered))
      } catch let error as CodexCallError where error.message.contains("no active turn to steer") {
        // It ended meanwhile.
      }
    }
    let turnID = try await startTurn(message.settings.merging(params) { _, own in own })
    return take(message, Receipt(turnID: turnID, mode: turnID == machine.activeTurnID ? .steered : .started))
  }

  private func startTurn(_ params: JSONObject) async throws -> String {
    let settings = pendingSettings
    let answer = try await services.link.call("turn/start", params.merging(settings ?? [:]) { own, _ in own })
    if pendingSettings == settings { pendingSettings = nil }
    guard let turnID = answer["turn"]?.objectValue?["id"]?.stringValue else {
      throw CodexCallError(.unavailable, "Codex named no turn.")
    }
    return turnID
  }

  /// Starts a turn for a message that the last one left without an answer, unless another message has started one.
  private func continueTurn() async {
    let send = sends.begin()
    defer { send.end() }
    await send.turn()
    guard machine.awaitsContinuation else { return }
    do {
      guard !isHidden else { throw ChatError.chatNotFound }
      let turnID = try await startTurn(["threadId": .string(id), "input": []])
      machine.sent(requestID: nil, Receipt(turnID: turnID, mode: .started))
    } catch {
      services.logger.warning("a message has no answer: \(error)", metadata: ["chat": "\(id)"])
      await perform(
        machine.continuationFailed("The last message came as its turn ended, and has no answer; write again."))
    }
  }

  private func take(_ message: MessageInput, _ receipt: Receipt) -> Receipt {
    machine.sent(requestID: message.requestID, receipt)
    return receipt
  }

  /// Interrupts the turn that runs; nil where none does. Throws ``ChatError``.
  func stop() async throws -> String? {
    guard let turnID = machine.activeTurnID else { return nil }
    do {
      _ = try await services.link.call("turn/interrupt", ["threadId": .string(id), "turnId": .string(turnID)])
      return turnID
    } catch let error as CodexCallError where error.message.contains("no active turn") {
      return nil
    } catch {
      throw ChatError(error)
    }
  }

  /// A person's decision, which is in the audit log before codex is notified. Throws ``ChatError`` and `ApprovalError`.
  func decide(_ approvalID: String, _ decision: ApprovalAnswer, content: JSONObject?, by device: Device?) async throws {
    let (request, subject) = try machine.question(approvalID)
    // Before it is kept: an answer that lacks something decides nothing.
    _ = try request.answer(decision, content: content)
    _ = try services.approvals.decide(decision, on: subject, chat: id, by: device)
    await perform(try machine.decide(approvalID, decision, content: content))
  }

  // MARK: effects

  private func perform(_ effects: [ChatMachine.Effect]) async {
    for effect in effects {
      switch effect {
      case .publish(let event): await log.publish(event)
      case .reply(let id, let result): await services.link.answer(id, result)
      case .refuse(let id, let reason): await services.link.refuse(id, reason)
      case .alert(let request): services.alert(request)
      // Apart from this report, which the call would hold up.
      case .continueTurn: Task { await continueTurn() }
      }
    }
  }
}
