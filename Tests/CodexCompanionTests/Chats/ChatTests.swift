import EventLedger
import Logging
import ResolveKitCore
import Synchronization
import TestSupport
import Testing

@testable import CodexCompanion

/// A chat over a ledger in memory and a scripted codex.
@Suite(.timeLimit(.minutes(5)))
struct ChatTests {
  private let codex = ScriptedCodex()
  private let folder: TemporaryFolder
  private let services: Chat.Services

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    services = Chat.Services(
      link: codex, ledger: try SQLiteEventLedger.open(path: nil),
      approvals: try Approvals(
        path: folder.file("approvals.json"), audit: AuditLog(path: folder.file("audit.jsonl"))),
      tools: ToolDefinitions(link: codex), alert: { _ in }, clock: InstantClock(), now: { .current },
      logger: Logger(label: "test"))
    codex.on("thread/resume") { _ in ["thread": ["status": ["type": "idle"]]] }
    codex.on("thread/turns/list") { _ in ["data": []] }
    codex.on("turn/start") { _ in ["turn": ["id": "t1"]] }
  }

  private func message(_ text: String, _ requestID: String? = nil) throws -> MessageInput {
    var members: JSONObject = ["text": .string(text)]
    members["request_id"] = requestID.map { .string($0) }
    return try MessageInput(JSONInput(members))
  }

  private func events() async throws -> [ChatEvent.Name] {
    let log = try await ChatLog(
      "c", ledger: services.ledger, now: services.now, clock: services.clock, logger: services.logger)
    var names: [ChatEvent.Name] = []
    try await log.kept { names.append($0.name) }
    return names
  }

  private let started: JSONObject = ["threadId": "c", "turn": ["id": "t1"]]

  @Test func theLatestTurnIsReportedAgainFromItsBeginningAlsoAfterARestart() async throws {
    let chat = try await Chat("c", services: services)
    let empty = try await chat.latestTurn()
    #expect(empty.cursor == 0 && empty.turnID == nil)
    for turn in ["t1", "t2"] {
      let params: JSONObject = ["threadId": "c", "turn": ["id": .string(turn)]]
      await chat.receive("turn/started", params)
      await chat.receive("item/agentMessage/delta", ["turnId": .string(turn), "itemId": "m", "delta": "x"])
      await chat.receive("turn/completed", params)
    }
    await chat.drain()
    let latest = try await chat.latestTurn()
    let next = try await services.ledger.events(of: ChatLog.stream(of: "c"), after: latest.cursor, limit: 1)
    #expect(latest.turnID == "t2")
    #expect(next.first?.type == "turn_started")
    let again = try await Chat("c", services: services).latestTurn()
    #expect(again.cursor == latest.cursor && again.turnID == "t2")
  }

  @Test func aRepeatedMessageStartsOneTurn() async throws {
    let chat = try await Chat("c", services: services)
    let first = try await chat.send(message("hi", "r"))
    #expect(first == Chat.Receipt(turnID: "t1", mode: .started))
    #expect(try await chat.send(message("hi", "r")).turnID == "t1")
    #expect(codex.calls.filter { $0 == "turn/start" }.count == 1)
    #expect(codex.params(of: "turn/start").first?["clientUserMessageId"] == "r")
    #expect(await chat.activeTurnID == "t1")
  }

  @Test func aMessageToARunningTurnIsASteerAndToOneThatHasJustEndedATurn() async throws {
    let chat = try await Chat("c", services: services)
    await chat.startedHere(with: [:])
    await chat.receive("turn/started", started)
    codex.on("turn/steer") { _ in ["turnId": "t1"] }
    #expect(try await chat.send(message("more")) == Chat.Receipt(turnID: "t1", mode: .steered))
    #expect(codex.params(of: "turn/steer").first?["expectedTurnId"] == "t1")
    codex.on("turn/steer") { _ in throw CodexCallError(.refused(-32_600), "no active turn to steer") }
    codex.on("turn/start") { _ in ["turn": ["id": "t2"]] }
    #expect(try await chat.send(message("again")) == Chat.Receipt(turnID: "t2", mode: .started))
  }

  @Test func twoMessagesAtOnceStartOneTurnAndSteerIt() async throws {
    let chat = try await Chat("c", services: services)
    let gate = Gate()
    codex.on("turn/start") { _ in
      await gate.wait()
      return ["turn": ["id": "t1"]]
    }
    codex.on("turn/steer") { _ in ["turnId": "t1"] }
    let messages = [try message("one", "a"), try message("two", "b")]
    let sends = messages.map { message in Task { try await chat.send(message) } }
    await until { codex.calls.contains("turn/start") }
    gate.open()
    var modes: [Chat.Receipt.Mode] = []
    for send in sends { modes.append(try await send.value.mode) }
    #expect(Set(modes) == [.started, .steered])
    #expect(codex.calls.filter { $0 == "turn/start" }.count == 1)
  }

  /// A message that the turn took up last, behind a text.
  private func leaveUnanswered(_ chat: Chat) async {
    await chat.receive("turn/started", started)
    for (id, type) in [("u1", "userMessage"), ("m", "agentMessage"), ("u2", "userMessage")] {
      await chat.receive(
        "item/completed", ["threadId": "c", "turnId": "t1", "item": ["id": .string(id), "type": .string(type)]])
    }
    await chat.receive("turn/completed", ["threadId": "c", "turn": ["id": "t1", "status": "completed"]])
  }

  @Test func aMessageWithoutAnAnswerGetsATurnOfItsOwn() async throws {
    let chat = try await Chat("c", services: services)
    await chat.startedHere(with: ["approvalPolicy": "on-request"])
    codex.on("turn/start") { _ in ["turn": ["id": "t2"]] }
    await leaveUnanswered(chat)
    await until { codex.calls.contains("turn/start") }
    #expect(codex.params(of: "turn/start").first == ["threadId": "c", "input": [], "approvalPolicy": "on-request"])
    await until { await chat.activeTurnID == "t2" }
  }

  @Test func aTurnThatCannotBeContinuedIsReported() async throws {
    let chat = try await Chat("c", services: services)
    await chat.startedHere(with: [:])
    codex.on("turn/start") { _ in throw CodexCallError(.unavailable, "codex is away") }
    await leaveUnanswered(chat)
    await until { await !chat.isRunning }
    await chat.drain()
    #expect(codex.calls.contains("turn/start"))
    #expect(try await events().suffix(2) == [.turnCompleted, .error])
  }

  @Test func settingsComeWithTheNextTurnOnce() async throws {
    let chat = try await Chat("c", services: services)
    await chat.startedHere(with: ["approvalPolicy": "on-request"])
    _ = try await chat.send(message("one"))
    await chat.receive("turn/started", started)
    await chat.receive("turn/completed", started)
    codex.on("turn/start") { _ in ["turn": ["id": "t2"]] }
    _ = try await chat.send(message("two"))
    let params = codex.params(of: "turn/start")
    #expect(params.map { $0["approvalPolicy"] } == ["on-request", nil])
    #expect(!codex.calls.contains("thread/resume"), "it was subscribed by its start")
  }

  @Test func whatIsSaidWhileTheChatIsJoinedComesBehindWhatWasMissed() async throws {
    let chat = try await Chat("c", services: services)
    let gate = Gate()
    codex.on("thread/turns/list") { _ in
      await gate.wait()
      return ["data": [["id": "t1", "status": "inProgress", "items": [["id": "i", "type": "agentMessage"]]]]]
    }
    let joining = Task { try await chat.join() }
    await until { codex.calls.contains("thread/turns/list") }
    let item: JSONObject = ["threadId": "c", "turnId": "t1", "item": ["id": "i", "type": "agentMessage"]]
    await chat.receive("item/completed", item)
    await chat.receive("turn/completed", started)
    gate.open()
    try await joining.value
    await chat.drain()
    #expect(try await events() == [.turnStarted, .itemCompleted, .turnCompleted])
  }

  @Test func aChatIsTakenUpFromItsLog() async throws {
    let chat = try await Chat("c", services: services)
    await chat.receive("turn/started", started)
    let question = try #require(
      CodexQuestion(
        requestID: 4, "item/commandExecution/requestApproval",
        ["threadId": "c", "turnId": "t1", "command": "ls", "cwd": "/w"]))
    await chat.receive(question)
    let open = await chat.openApprovals
    #expect(open.count == 1)
    await chat.drain()

    let next = try await Chat("c", services: services)
    #expect(await next.activeTurnID == "t1")
    #expect(await next.hasApproval(open[0].id))
    // It counts once codex has asked it again.
    await #expect(throws: ChatError.self) { try await next.decide(open[0].id, .approve, content: nil, by: nil) }
    await next.receive(question)
    try await next.decide(open[0].id, .approve, content: nil, by: nil)
    #expect(codex.replies == [["decision": "accept"]])
    await #expect(throws: ChatError.self) { try await next.decide(open[0].id, .decline, content: nil, by: nil) }
    #expect(try folder.text("audit.jsonl").contains("approved"))
    await next.codexEnded(reason: "gone")
    await next.drain()
    #expect(
      try await events() == [.turnStarted, .approvalRequired, .error, .approvalCleared, .turnCompleted])
  }

  @Test func everyRequestOfCodexIsAnswered() async throws {
    let hub = ChatHub(services)
    for (number, method) in [
      "currentTime/read", "item/tool/call", "applyPatchApproval", "execCommandApproval", "item/tool/requestUserInput",
      "attestation/generate", "new/request",
    ].enumerated() {
      await hub.receive(.request(id: .number(Double(number)), method: method, params: ["threadId": "c"]))
    }
    #expect(codex.replies.count == 4 && codex.refusals == [4, 5, 6])
    // An id that can be no chat's: refused as well.
    await hub.receive(
      .request(id: 9, method: "item/fileChange/requestApproval", params: ["threadId": "../../etc"]))
    #expect(codex.refusals.last == 9)
  }

  @Test func textsThatWaitForTheDiskAreJoinedAndAllIsStored() async throws {
    let chat = try await Chat("c", services: services)
    for number in 0..<5_000 {
      await chat.receive(
        "item/agentMessage/delta", ["threadId": "c", "turnId": "t1", "itemId": "m", "delta": .string("\(number) ")])
    }
    await chat.drain()
    let log = try await ChatLog(
      "c", ledger: services.ledger, now: services.now, clock: services.clock, logger: services.logger)
    var text = ""
    try await log.kept { text += $0.payload["delta"]?.stringValue ?? "" }
    #expect(text == (0..<5_000).map { "\($0) " }.joined())
  }

  @Test func theChatsInUseAreLimited() async throws {
    let hub = ChatHub(services, limit: 2)
    for id in ["a", "b", "a"] { #expect(try await hub.chat(id).id == id) }
    let refusal = await #expect(throws: ChatError.self) { _ = try await hub.chat("c") }
    #expect(refusal?.code == .busy && refusal?.message.contains("started again") == true)
    await #expect(throws: ChatError.self) { try await hub.checkRoom() }
    // A question of a chat that cannot be taken up is refused, or its turn would hang.
    await hub.receive(.request(id: 9, method: "item/fileChange/requestApproval", params: ["threadId": "c"]))
    #expect(codex.refusals == [9])
  }

  /// What codex says while a chat is joined is held up to a number of bytes, and a question beyond it is refused.
  @Test func whatIsHeldWhileAChatIsJoinedIsLimitedByItsBytes() async throws {
    let gate = Gate()
    codex.on("thread/resume") { _ in
      await gate.wait()
      return ["thread": ["status": ["type": "idle"]]]
    }
    let chat = try await Chat("c", services: services)
    let joining = Task { try await chat.join() }
    await until { codex.calls.contains("thread/resume") }
    let large = JSONValue.string(String(repeating: "x", count: HeldReports.byteLimit - 10_000))
    await chat.receive("item/started", ["threadId": "c", "turnId": "t1", "text": large])
    let params: JSONObject = ["threadId": "c", "command": .string(String(repeating: "y", count: 20_000))]
    await chat.receive(try #require(CodexQuestion(requestID: 7, "item/commandExecution/requestApproval", params)))
    #expect(codex.refusals == [7])
    gate.open()
    try await joining.value
  }
}
