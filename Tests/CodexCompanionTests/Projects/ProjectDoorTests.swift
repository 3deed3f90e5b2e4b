import EventLedger
import Logging
import ResolveKitCore
import TestSupport
import Testing

@testable import CodexCompanion

/// The effect of hiding a project on the work in it.
@Suite(.timeLimit(.minutes(5))) struct ProjectDoorTests {
  private let codex = ScriptedCodex()
  private let folder: TemporaryFolder
  private let catalog: ProjectCatalog
  private let directory: ChatDirectory
  private let hub: ChatHub
  private let door: ProjectDoor

  init() throws {
    folder = try TemporaryFolder()
    catalog = try ProjectCatalog(file: folder.file("projects.json"))
    directory = ChatDirectory(link: codex, catalog: catalog)
    hub = ChatHub(
      Chat.Services(
        link: codex, ledger: try SQLiteEventLedger.open(path: nil),
        approvals: try Approvals(
          path: folder.file("approvals.json"), audit: AuditLog(path: folder.file("audit.jsonl"))),
        tools: ToolDefinitions(link: codex), alert: { _ in }, clock: InstantClock(), now: { .current },
        logger: Logger(label: "test")),
      isHidden: { [directory] in await directory.isHidden($0) })
    door = ProjectDoor(directory: directory, hub: hub, closings: Revocations())
    codex.on("thread/read") { params in
      guard let id = params["threadId"]?.stringValue else { return [:] }
      return ["thread": ["id": .string(id), "cwd": .string("/\(id)"), "preview": "", "updatedAt": 1]]
    }
    codex.on("turn/interrupt") { _ in [:] }
  }

  private func question(_ number: Int, in chat: String) throws -> CodexQuestion {
    try #require(
      CodexQuestion(
        requestID: .number(Double(number)), "item/commandExecution/requestApproval",
        ["threadId": .string(chat), "turnId": "t", "command": "ls", "cwd": "/w"]))
  }

  private func begin(_ chat: String) async throws -> Chat {
    _ = try await directory.folder(of: chat)
    let opened = try await hub.chat(chat)
    await opened.receive("turn/started", ["threadId": .string(chat), "turn": ["id": "t"]])
    return opened
  }

  @Test func itsStreamsEndItsTurnIsInterruptedAndItsQuestionsAreDeclined() async throws {
    let (hidden, seen) = (try await begin("hidden"), try await begin("seen"))
    await hidden.receive(try question(1, in: "hidden"))
    await seen.receive(try question(2, in: "seen"))
    let closing = door.closings.stream(of: "hidden") { true }
    try await catalog.set("/hidden", isHidden: true)
    await door.changed()
    for await _ in closing {}
    #expect(codex.params(of: "turn/interrupt").map { $0["threadId"] } == ["hidden"])
    #expect(codex.replies == [["decision": "decline"]])
    #expect(await seen.openApprovals.count == 1)
    await #expect(throws: ChatError.self) { try await directory.folder(of: "hidden") }
    // What is asked later has nobody to ask.
    await hidden.receive(try question(3, in: "hidden"))
    #expect(codex.replies.count == 2 && codex.replies.last == ["decision": "decline"])
    #expect(await hidden.openApprovals.isEmpty)
    #expect(try folder.text("audit.jsonl").contains("the project is closed to devices"))
  }

  /// The device was let in before, and codex takes the message after.
  @Test func aMessageThatWasUnderWayIsTakenBack() async throws {
    _ = try await directory.folder(of: "c")
    let chat = try await hub.chat("c")
    await chat.startedHere(with: [:])
    let gate = Gate()
    codex.on("turn/start") { _ in
      await gate.wait()
      return ["turn": ["id": "late"]]
    }
    let message = try MessageInput(JSONInput(["text": "hi"]))
    let sending = Task { try await chat.send(message) }
    await until { codex.calls.contains("turn/start") }
    try await catalog.set("/c", isHidden: true)
    await door.changed()
    gate.open()
    let error = await #expect(throws: ChatError.self) { try await sending.value }
    #expect(error?.code == .unknownChat)
    #expect(codex.params(of: "turn/interrupt").map { $0["turnId"] } == ["late"])
    await #expect(throws: ChatError.self) { try await chat.send(message) }
    #expect(codex.calls.filter { $0 == "turn/start" }.count == 1)
  }

  @Test func itIsAskedAboutAgainOnceItIsShown() async throws {
    let chat = try await begin("c")
    try await catalog.set("/c", isHidden: true)
    await door.changed()
    try await catalog.set("/c", isHidden: false)
    await door.changed()
    await chat.receive(try question(1, in: "c"))
    #expect(codex.replies.isEmpty)
    #expect(await chat.openApprovals.count == 1)
    #expect(try await directory.folder(of: "c") == "/c")
  }

  /// After a restart codex asks again, and the companion knows before that whom the chat is kept from.
  @Test func aHiddenChatIsJoinedAsOne() async throws {
    try await catalog.set("/c", isHidden: true)
    codex.on("thread/loaded/list") { _ in ["data": ["c"]] }
    codex.on("thread/turns/list") { _ in ["data": []] }
    let asked = try question(1, in: "c")
    codex.on("thread/resume") { [hub] _ in
      try await hub.chat("c").receive(asked)
      return ["thread": ["status": ["type": "idle"]]]
    }
    await hub.receive(.connected(isSameProcess: true))
    await until { codex.replies.count == 1 }
    #expect(codex.replies == [["decision": "decline"]])
  }
}
