package import ResolveKitCore

/// A chat's rules: takes the messages of codex and of people, and returns the events that clients see and the replies to
/// codex.
///
/// Pure, and rebuilt from its own events by ``restore(_:)`` after a restart.
package struct ChatMachine: Sendable {
  package enum Effect: Equatable, Sendable {
    case publish(ChatEvent)
    case reply(requestID: JSONValue, JSONValue)
    case refuse(requestID: JSONValue, reason: String)
    /// A person is to be notified that a question waits.
    case alert(ApprovalRequest)
    /// A turn without a message of its own is to be started: the chat's last message has no answer.
    case continueTurn
  }

  let chatID: String
  private(set) var runningTurnID: String?
  /// A turn that codex has accepted and not yet reported.
  private var acceptedTurnID: String?
  private var endedTurnID: String?
  private var items = OpenItems()
  private var approvals = OpenApprovals()
  private var sends = SentMessages()
  private var unanswered = UnansweredMessage()
  /// The questions that ended last: a tool's definition may come after codex has given up waiting.
  private var resolved: [String] = []

  package init(chatID: String) {
    self.chatID = chatID
  }

  /// The turn that runs, or is about to.
  var activeTurnID: String? { runningTurnID ?? acceptedTurnID }

  /// The questions that a person can decide on, oldest first.
  package var openApprovals: [ApprovalRequest] { approvals.undecided }

  func hasApproval(_ id: String) -> Bool { approvals[id] != nil }

  /// The outcome of a message that was sent under this id before.
  func receipt(ofRequest requestID: String) -> Chat.Receipt? { sends[requestID] }

  // MARK: codex

  package mutating func receive(_ method: String, _ params: JSONObject) -> [Effect] {
    guard let notice = ChatNotice(method, params) else { return [] }
    switch notice {
    case .turnStarted(let turnID):
      guard runningTurnID != turnID else { return [] }
      runningTurnID = turnID
      acceptedTurnID = nil
      unanswered.turnStarted()
      return [.publish(ChatEvent(.turnStarted, params))]
    case .turnCompleted(let turnID):
      // Held back while the chat was joined, which has reported it.
      guard turnID != endedTurnID else { return [] }
      return complete(turnID, params)
    case .itemStarted(let ref, let item):
      sends.note(item, turnID: ref.turnID)
      unanswered.note(item, turnID: ref.turnID)
      return items.start(ref, item) ? [.publish(ChatEvent(.itemStarted, params))] : []
    case .itemCompleted(let ref, let item):
      sends.note(item, turnID: ref.turnID)
      unanswered.note(item, turnID: ref.turnID)
      return items.complete(ref) ? [.publish(ChatEvent(.itemCompleted, params))] : []
    case .messageDelta:
      return [.publish(ChatEvent(.messageDelta, params))]
    case .error:
      return [.publish(ChatEvent(.error, params))]
    case .requestResolved(let requestID):
      guard let entry = approvals.resolve(requestID: requestID) else { return [] }
      resolved.append(entry.request.id)
      if resolved.count > OpenApprovals.limit { resolved.removeFirst() }
      let reason =
        switch entry.state {
        case .answered: "It was answered."
        case .asked, .unconfirmed: "It was answered elsewhere, or codex waits for it no more."
        }
      return entry.isReported ? [.publish(ChatEvent(cleared: [entry.request.id], reason))] : []
    }
  }

  /// The MCP server and the tool that a question is about; the tool's name stands in the running call alone.
  func toolCalled(by question: CodexQuestion) -> (server: String, tool: String)? {
    guard let server = question.calledServer, let tool = item(of: question)?["tool"]?.stringValue else { return nil }
    return (server, tool)
  }

  /// A question of codex.
  ///
  /// - Parameters:
  ///   - definition: what the MCP server says of the tool that is called.
  ///   - ruling: what the rules say, asked once, and only where it is not known already.
  package mutating func receive(
    _ question: CodexQuestion, definition: JSONValue?, at milliseconds: Int64,
    ruling: (ApprovalSubject) -> ApprovalRuling
  ) -> [Effect] {
    guard !resolved.contains(question.approvalID) else { return [] }
    if let turnID = question.turnID, turnID == endedTurnID {
      // Asked again while the chat was joined, and over by then.
      return [.refuse(requestID: question.requestID, reason: "The turn has ended.")]
    }
    let item = item(of: question)
    let subject = question.subject(item: item, definition: definition)
    if let known = approvals[question.approvalID] {
      switch known.state {
      case .answered(let answer): return [.reply(requestID: question.requestID, answer)]
      case .asked: return []
      case .unconfirmed:
        approvals.set(.asked(subject), of: question.approvalID)
        return []
      }
    }
    func request(session: Bool = false, always: Bool = false) -> ApprovalRequest {
      question.request(item: item, at: milliseconds, session: session, always: always)
    }
    guard !approvals.isFull else { return settle(request(), .decline) }
    switch ruling(subject) {
    case .allow: return settle(request(), .approve)
    case .deny: return settle(request(), .decline)
    case .ask(let session, let always):
      let request = request(session: session, always: always)
      approvals.add(request, .asked(subject), isReported: true)
      return [.publish(ChatEvent(.approvalRequired, request.json)), .alert(request)]
    }
  }

  private func item(of question: CodexQuestion) -> JSONObject? {
    if let server = question.calledServer {
      return items.last { $0["type"]?.stringValue == "mcpToolCall" && $0["server"]?.stringValue == server }
    }
    guard let turnID = question.turnID, let itemID = question.itemID else { return nil }
    return items[ChatNotice.ItemRef(turnID: turnID, itemID: itemID)]
  }

  /// Answers without asking.
  private mutating func settle(_ request: ApprovalRequest, _ decision: ApprovalAnswer) -> [Effect] {
    guard let answer = try? request.answer(decision, content: nil) else {
      return [.refuse(requestID: request.requestID, reason: "This needs a person's answers.")]
    }
    approvals.add(request, .answered(answer), isReported: false)
    return [.reply(requestID: request.requestID, answer)]
  }

  // MARK: people

  /// The question that a person may decide on now. Throws ``ChatError``.
  package func question(_ id: String) throws(ChatError) -> (request: ApprovalRequest, subject: ApprovalSubject) {
    guard let entry = approvals[id] else { throw ChatError(.unknownApproval, "Approval request not found") }
    switch entry.state {
    case .asked(let subject): return (entry.request, subject)
    case .answered: throw ChatError(.answered, "This request was answered already.")
    case .unconfirmed:
      // The number may be another request's by now.
      throw ChatError(
        .unconfirmed, "Codex has not asked this again since it was lost; wait for it, or stop the turn.")
    }
  }

  /// A person's decision on a question that is open; it is used once. Throws ``ChatError``.
  package mutating func decide(
    _ id: String, _ decision: ApprovalAnswer, content: JSONObject?
  ) throws(ChatError) -> [Effect] {
    let request = try question(id).request
    let answer = try request.answer(decision, content: content)
    approvals.set(.answered(answer), of: id)
    return [.reply(requestID: request.requestID, answer)]
  }

  /// A message was taken by codex, which may have reported its turn, and the turn's end, before it answered.
  mutating func sent(requestID: String?, _ receipt: Chat.Receipt) {
    let turnID = receipt.turnID
    if let requestID { sends.take(requestID, receipt) }
    if turnID != runningTurnID, turnID != endedTurnID { acceptedTurnID = turnID }
  }

  /// Whether the chat's last message has no answer, and no turn is about to bring one.
  var awaitsContinuation: Bool { unanswered.owedBy != nil && activeTurnID == nil }

  /// The turn that was to answer the last message could not be started.
  mutating func continuationFailed(_ reason: String) -> [Effect] {
    guard let turnID = unanswered.giveUp() else { return [] }
    return [.publish(ChatEvent(failure: reason, of: turnID, in: chatID))]
  }

  // MARK: gaps

  /// The connection to codex is lost, its process may live on.
  package mutating func connectionLost() { approvals.doubt() }

  /// codex's process ended: so has all that it ran.
  package mutating func codexEnded(reason: String) -> [Effect] {
    var effects: [Effect] = []
    if let turnID = runningTurnID {
      effects.append(.publish(ChatEvent(failure: reason, of: turnID, in: chatID)))
      effects += endTurn(turnID, ChatEvent(interrupted: turnID, of: chatID), processIsGone: true, reason: reason)
    }
    acceptedTurnID = nil
    effects += continuationFailed(reason)
    let left = items.endAll()
    effects += left.map { .publish(ChatEvent(unfinished: $0.item, $0.ref, of: chatID)) }
    let ids = approvals.remove { _ in true }
    if !ids.isEmpty { effects.append(.publish(ChatEvent(cleared: ids, reason))) }
    return effects
  }

  /// The connection is back, with a process that may have continued meanwhile: reports what was missed. The deltas of a
  /// text are lost, its whole is in the item that completed.
  ///
  /// - Parameter waits: whether codex says that it waits for approvals; it asks those again by itself.
  package mutating func rejoined(_ turn: KnownTurn?, waitsForApproval waits: Bool) -> [Effect] {
    var effects: [Effect] = []
    if !waits {
      let ids = approvals.remove { if case .unconfirmed = $0.state { true } else { false } }
      if !ids.isEmpty {
        effects.append(.publish(ChatEvent(cleared: ids, "It was answered elsewhere, or codex waits for it no more.")))
      }
    }
    if let turnID = runningTurnID, turnID != turn?.id {
      let reason = "The turn ended while the companion was away."
      effects += endTurn(turnID, ChatEvent(interrupted: turnID, of: chatID), processIsGone: false, reason: reason)
    }
    guard let turn, runningTurnID == turn.id || turn.isRunning else {
      guard let owing = unanswered.owedBy else { return effects }
      return effects + (turn?.id == owing ? [.continueTurn] : continuationFailed("Another turn came in between."))
    }
    if runningTurnID == nil {
      runningTurnID = turn.id
      effects.append(.publish(ChatEvent(.turnStarted, ["threadId": .string(chatID), "turn": .object(turn.turn)])))
    }
    for item in turn.items {
      guard let id = item["id"]?.stringValue else { continue }
      sends.note(item, turnID: turn.id)
      unanswered.note(item, turnID: turn.id)
      guard items.complete(ChatNotice.ItemRef(turnID: turn.id, itemID: id)) else { continue }
      effects.append(
        .publish(
          ChatEvent(
            .itemCompleted, ["threadId": .string(chatID), "turnId": .string(turn.id), "item": .object(item)])))
    }
    guard !turn.isRunning else { return effects }
    return effects + complete(turn.id, ["threadId": .string(chatID), "turn": .object(turn.turn)])
  }

  /// Takes up an event from before a restart.
  package mutating func restore(_ event: ChatEvent) {
    switch event.name {
    case .approvalRequired:
      guard let request = ApprovalRequest(json: event.payload), approvals[request.id] == nil else { return }
      approvals.add(request, .unconfirmed, isReported: true)
    case .approvalCleared:
      let ids = event.payload["ids"]?.arrayValue?.compactMap(\.stringValue) ?? []
      _ = approvals.remove { ids.contains($0.request.id) }
    case .turnStarted: _ = receive("turn/started", event.payload)
    case .turnCompleted:
      guard let turnID = event.payload["turn"]?.objectValue?["id"]?.stringValue else { return }
      if runningTurnID == turnID { runningTurnID = nil }
      _ = items.endTurn(turnID, processIsGone: false)
      if event.continues { unanswered.restore(owedBy: turnID) }
    case .itemStarted: _ = receive("item/started", event.payload)
    case .itemCompleted: _ = receive("item/completed", event.payload)
    case .error: _ = unanswered.giveUp()
    case .messageDelta: break
    }
  }

  // MARK: parts

  /// codex reports a turn's end. A message that it took up last has no answer yet, and gets a turn for it.
  private mutating func complete(_ turnID: String, _ params: JSONObject) -> [Effect] {
    let isWell = params["turn"]?.objectValue?["status"]?.stringValue == "completed"
    let continues = unanswered.turnEnded(turnID, isWell: isWell)
    let event = ChatEvent(.turnCompleted, continues ? params.merging(["continues": true]) { $1 } : params)
    return endTurn(turnID, event, processIsGone: false, reason: "The turn has ended.")
      + (continues ? [.continueTurn] : [])
  }

  private mutating func endTurn(
    _ turnID: String, _ event: ChatEvent, processIsGone: Bool, reason: String
  ) -> [Effect] {
    var effects: [Effect] = []
    let unbegun = approvals.itemsThatWait(in: turnID)
    for left in items.endTurn(turnID, processIsGone: processIsGone, unbegun: unbegun) {
      let isBegun = !unbegun.contains(left.ref.itemID)
      effects.append(.publish(ChatEvent(unfinished: left.item, left.ref, of: chatID, isBegun: isBegun)))
    }
    let ids = approvals.remove { $0.request.turnID == turnID }
    if !ids.isEmpty { effects.append(.publish(ChatEvent(cleared: ids, reason))) }
    if runningTurnID == turnID { runningTurnID = nil }
    if acceptedTurnID == turnID { acceptedTurnID = nil }
    endedTurnID = turnID
    return effects + [.publish(event)]
  }
}
