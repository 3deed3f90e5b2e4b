import ResolveKitCore
import Testing

@testable import CodexCompanion

/// A chat's events and answers, by scripts of the real codex 0.163.0's messages.
struct ChatMachineTests {
  private static let turn = "t1"

  private func started(_ turnID: String = turn) -> JSONObject {
    ["threadId": "c", "turn": ["id": .string(turnID), "items": [], "status": "inProgress"]]
  }

  private func completed(_ turnID: String = turn, status: String = "completed") -> JSONObject {
    ["threadId": "c", "turn": ["id": .string(turnID), "items": [], "status": .string(status)]]
  }

  private func item(_ id: String, _ type: String, turnID: String = turn, more: JSONObject = [:]) -> JSONObject {
    let item: JSONObject = ["id": .string(id), "type": .string(type)]
    return ["threadId": "c", "turnId": .string(turnID), "item": .object(item.merging(more) { _, new in new })]
  }

  private func question(_ requestID: JSONValue, item: String = "i", turnID: String = turn) -> CodexQuestion? {
    CodexQuestion(
      requestID: requestID, "item/commandExecution/requestApproval",
      [
        "threadId": "c", "turnId": .string(turnID), "itemId": .string(item), "startedAtMs": 7, "command": "touch x",
        "cwd": "/w", "reason": "because",
      ])
  }

  private func running() -> ChatMachine {
    var machine = ChatMachine(chatID: "c")
    _ = machine.receive("turn/started", started())
    _ = machine.receive("item/started", item("i", "commandExecution", more: ["command": "touch x"]))
    return machine
  }

  private static func asks(_: ApprovalSubject) -> ApprovalRuling { .ask(session: true, always: false) }

  private func asked(_ machine: inout ChatMachine, _ requestID: JSONValue = 0) throws -> ApprovalRequest {
    let effects = machine.receive(
      try #require(question(requestID)), definition: nil, at: 5, ruling: Self.asks)
    let request = try #require(machine.openApprovals.last)
    #expect(effects == [.publish(ChatEvent(.approvalRequired, request.json)), .alert(request)])
    return request
  }

  private func names(_ effects: [ChatMachine.Effect]) -> [ChatEvent.Name] {
    effects.compactMap { if case .publish(let event) = $0 { event.name } else { nil } }
  }

  // MARK: turns

  @Test func aTurnIsReportedVerbatimAndOnce() {
    var machine = ChatMachine(chatID: "c")
    #expect(machine.receive("turn/started", started()) == [.publish(ChatEvent(.turnStarted, started()))])
    #expect(machine.receive("turn/started", started()).isEmpty)
    let text = item("m", "agentMessage", more: ["text": ""])
    #expect(machine.receive("item/started", text) == [.publish(ChatEvent(.itemStarted, text))])
    let delta: JSONObject = ["threadId": "c", "turnId": "t1", "itemId": "m", "delta": "Hi"]
    #expect(machine.receive("item/agentMessage/delta", delta) == [.publish(ChatEvent(.messageDelta, delta))])
    let whole = item("m", "agentMessage", more: ["text": "Hi"])
    #expect(machine.receive("item/completed", whole) == [.publish(ChatEvent(.itemCompleted, whole))])
    #expect(machine.receive("item/completed", whole).isEmpty)
    #expect(machine.receive("turn/completed", completed()) == [.publish(ChatEvent(.turnCompleted, completed()))])
    #expect(machine.activeTurnID == nil)
  }

  /// The command stayed "running" permanently: codex reports no end of it.
  @Test(arguments: [true, false])
  func aCommandThatNobodyAllowedEndsWithItsTurn(isAllowed: Bool) throws {
    var machine = running()
    let request = try asked(&machine)
    if isAllowed { _ = try machine.decide(request.id, .approve, content: nil) }
    let events = machine.receive("turn/completed", completed(status: "interrupted")).compactMap { effect in
      if case .publish(let event) = effect { event } else { nil }
    }
    let ended = events.first { $0.name == .itemCompleted }?.payload["item"]?.objectValue
    #expect(ended?["status"] == (isAllowed ? nil : "declined") && ended?["id"] == (isAllowed ? nil : "i"))
    #expect(events.last?.name == .turnCompleted)
  }

  @Test(arguments: [
    "thread/tokenUsage/updated", "turn/plan/updated", "something/new", "item/started", "turn/started", "turn/completed",
    "item/completed", "item/agentMessage/delta", "serverRequest/resolved", "",
  ])
  func whatIsNotKnownOrLacksMembersIsPassedOver(method: String) {
    var machine = ChatMachine(chatID: "c")
    for params: JSONObject in [[:], ["turn": 1], ["item": ["id": 5], "turnId": "t"], ["turnId": [], "item": [:]]] {
      #expect(machine.receive(method, params).isEmpty)
    }
  }

  @Test func whatATurnLeavesOpenIsClosedAndACommandRunsOn() {
    var machine = running()
    _ = machine.receive("item/started", item("m", "agentMessage"))
    let effects = machine.receive("turn/completed", completed(status: "interrupted"))
    #expect(names(effects) == [.itemCompleted, .turnCompleted])
    guard case .publish(let event) = effects[0] else { return }
    #expect(event.payload["item"]?.objectValue?["id"] == "m" && event.payload["interrupted"] == true)
    // The command of the old turn ends later, and is reported then.
    #expect(names(machine.receive("item/completed", item("i", "commandExecution"))) == [.itemCompleted])
  }

  @Test func anAcceptedTurnIsActiveBeforeCodexReportsIt() {
    var machine = ChatMachine(chatID: "c")
    machine.sent(requestID: "r", Chat.Receipt(turnID: "t1", mode: .started))
    #expect(machine.activeTurnID == "t1" && machine.receipt(ofRequest: "r")?.turnID == "t1")
    #expect(names(machine.receive("turn/started", started())) == [.turnStarted])
    _ = machine.receive("turn/completed", completed())
    #expect(machine.activeTurnID == nil)
    // The answer that comes behind the turn's end.
    machine.sent(requestID: nil, Chat.Receipt(turnID: "t1", mode: .started))
    #expect(machine.activeTurnID == nil)
  }

  @Test func aMessagesIdIsFoundInItsItemToo() {
    var machine = ChatMachine(chatID: "c")
    _ = machine.receive("item/completed", item("u", "userMessage", more: ["clientId": "r9"]))
    #expect(machine.receipt(ofRequest: "r9")?.turnID == "t1")
  }

  // MARK: approvals

  @Test func anApprovalIsAnsweredOnceAndClearedByCodex() throws {
    var machine = running()
    let request = try asked(&machine)
    #expect(request.summary == "touch x" && request.details["cwd"] == "/w")
    let reply = try machine.decide(request.id, .approve, content: nil)
    #expect(reply == [.reply(requestID: 0, ["decision": "accept"])])
    #expect(machine.openApprovals.isEmpty)
    #expect(throws: ChatError.self) { try machine.decide(request.id, .decline, content: nil) }
    let cleared = machine.receive("serverRequest/resolved", ["threadId": "c", "requestId": 0])
    #expect(names(cleared) == [.approvalCleared])
    #expect(throws: ChatError.self) { try machine.decide(request.id, .approve, content: nil) }
  }

  @Test func othersEventsClearNothing() throws {
    var machine = running()
    let request = try asked(&machine)
    _ = machine.receive("item/started", item("j", "agentMessage"))
    _ = machine.receive("item/completed", item("j", "agentMessage"))
    _ = machine.receive("serverRequest/resolved", ["threadId": "c", "requestId": "0"])
    #expect(machine.openApprovals == [request])
  }

  @Test func severalAreOpenAtOnceAndAnsweredInAnyOrder() throws {
    var machine = running()
    let first = try asked(&machine, 0)
    let second = try asked(&machine, 1)
    #expect(first.id != second.id && machine.openApprovals.count == 2)
    #expect(
      try machine.decide(second.id, .decline, content: nil) == [
        .reply(requestID: 1, ["decision": "decline"])
      ])
    #expect(machine.openApprovals == [first])
  }

  @Test func whatTheRulesAnswerIsReportedToNobody() throws {
    var machine = running()
    let effects = machine.receive(try #require(question(3)), definition: nil, at: 5) { _ in .deny(.closedProject) }
    #expect(effects == [.reply(requestID: 3, ["decision": "decline"])])
    #expect(machine.receive("serverRequest/resolved", ["threadId": "c", "requestId": 3]).isEmpty)
  }

  @Test func moreQuestionsThanMayBeOpenAreDeclined() throws {
    var machine = running()
    for number in 0..<OpenApprovals.limit { _ = try asked(&machine, .number(Double(number))) }
    let effects = machine.receive(try #require(question(999)), definition: nil, at: 5, ruling: Self.asks)
    #expect(effects == [.reply(requestID: 999, ["decision": "decline"])])
  }

  @Test func anApprovalEndsWithItsTurn() throws {
    var machine = running()
    let request = try asked(&machine)
    let effects = machine.receive("turn/completed", completed(status: "interrupted"))
    #expect(names(effects).contains(.approvalCleared) && machine.openApprovals.isEmpty)
    #expect(throws: ChatError.self) { try machine.decide(request.id, .approve, content: nil) }
  }

  // MARK: gaps

  @Test func afterALostConnectionAQuestionCountsOnceItIsAskedAgain() throws {
    var machine = running()
    let request = try asked(&machine)
    machine.connectionLost()
    #expect(machine.openApprovals.isEmpty && machine.hasApproval(request.id))
    #expect(throws: ChatError.self) { try machine.decide(request.id, .approve, content: nil) }
    #expect(machine.receive(try #require(question(0)), definition: nil, at: 9, ruling: Self.asks).isEmpty)
    #expect(machine.openApprovals == [request])
  }

  @Test func anAnswerThatWasLostIsGivenAgainAndNobodyIsAskedTwice() throws {
    var machine = running()
    let request = try asked(&machine)
    _ = try machine.decide(request.id, .approve, content: nil)
    machine.connectionLost()
    let again = machine.receive(try #require(question(0)), definition: nil, at: 9, ruling: Self.asks)
    #expect(again == [.reply(requestID: 0, ["decision": "accept"])])
  }

  @Test func theEndOfCodexEndsItsTurnWithAnErrorAndItsQuestions() throws {
    var machine = running()
    _ = try asked(&machine)
    let effects = machine.codexEnded(reason: "Codex ended: signal 9.")
    #expect(names(effects) == [.error, .itemCompleted, .approvalCleared, .turnCompleted])
    #expect(machine.activeTurnID == nil && machine.openApprovals.isEmpty)
    #expect(machine.codexEnded(reason: "again").isEmpty)
  }

  @Test func whatWasMissedIsReportedOnceAfterAGap() {
    var machine = running()
    machine.connectionLost()
    let items: [JSONObject] = [
      ["id": "u", "type": "userMessage", "clientId": "r1"],
      ["id": "i", "type": "commandExecution", "status": "completed"],
    ]
    let known = ChatMachine.KnownTurn(id: "t1", isRunning: true, turn: ["id": "t1"], items: items)
    #expect(names(machine.rejoined(known, waitsForApproval: false)) == [.itemCompleted, .itemCompleted])
    #expect(machine.rejoined(known, waitsForApproval: false).isEmpty)
    #expect(machine.activeTurnID == "t1" && machine.receipt(ofRequest: "r1")?.turnID == "t1")
    let ended = ChatMachine.KnownTurn(
      id: "t1", isRunning: false, turn: ["id": "t1", "status": "completed"], items: items)
    #expect(names(machine.rejoined(ended, waitsForApproval: false)) == [.turnCompleted])
    #expect(machine.activeTurnID == nil)
  }

  @Test func aTurnThatBeganInTheGapIsReportedAndAnOldOneEnded() {
    var machine = running()
    let known = ChatMachine.KnownTurn(id: "t2", isRunning: true, turn: ["id": "t2"], items: [])
    #expect(names(machine.rejoined(known, waitsForApproval: false)) == [.turnCompleted, .turnStarted])
    #expect(machine.activeTurnID == "t2")
  }

  @Test func aQuestionThatWasAnsweredInTheGapIsCleared() throws {
    var machine = running()
    _ = try asked(&machine)
    machine.connectionLost()
    let known = ChatMachine.KnownTurn(id: "t1", isRunning: true, turn: ["id": "t1"], items: [])
    #expect(names(machine.rejoined(known, waitsForApproval: true)).isEmpty)
    #expect(names(machine.rejoined(known, waitsForApproval: false)) == [.approvalCleared])
  }

  /// Codex asks again when a chat is joined, and the turn may end before codex lists it: what was held back comes behind that.
  @Test func aQuestionOfATurnThatHasEndedIsNotReported() throws {
    var machine = running()
    _ = try asked(&machine)
    machine.connectionLost()
    let ended = ChatMachine.KnownTurn(
      id: "t1", isRunning: false, turn: ["id": "t1", "status": "completed"], items: [])
    // The command stays open: it may have been allowed in the gap, and run on.
    #expect(names(machine.rejoined(ended, waitsForApproval: true)) == [.approvalCleared, .turnCompleted])
    let late = machine.receive(try #require(question(0)), definition: nil, at: 5, ruling: Self.asks)
    #expect(late == [.refuse(requestID: 0, reason: "The turn has ended.")])
    #expect(machine.openApprovals.isEmpty)
    #expect(machine.receive("turn/completed", completed()).isEmpty)
  }

  /// After each prefix of its events, a machine that was rebuilt of them says what the first one would.
  @Test func aMachineIsItsEvents() throws {
    var machine = ChatMachine(chatID: "c")
    var reported: [ChatEvent] = []
    var effects = machine.receive("turn/started", started())
    effects += machine.receive("item/started", item("i", "commandExecution", more: ["command": "touch x"]))
    effects += machine.receive(try #require(question(0)), definition: nil, at: 5, ruling: Self.asks)
    effects += machine.receive("serverRequest/resolved", ["threadId": "c", "requestId": 0])
    effects += machine.receive("item/completed", item("i", "commandExecution"))
    effects += machine.receive("turn/completed", completed())
    for case .publish(let event) in effects { reported.append(event) }
    #expect(reported.count == 6)
    for count in 0...reported.count {
      var restored = ChatMachine(chatID: "c")
      for event in reported.prefix(count) { restored.restore(event) }
      #expect(restored.activeTurnID == ((1...5).contains(count) ? "t1" : nil), "after \(count) events")
      let ended = restored.codexEnded(reason: "gone")
      let open = (3..<4).contains(count)
      #expect(names(ended).contains(.approvalCleared) == open, "after \(count) events")
    }
  }
}
