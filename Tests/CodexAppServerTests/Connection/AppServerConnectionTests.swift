import CodexAppServer
import NIOCore
import NIOEmbedded
import ResolveKitCore
import TestSupport
import Testing

struct AppServerConnectionTests {
  private func error(of task: Task<JSONValue, any Error>) async -> AppServerError.Code? {
    do {
      _ = try await task.value
      return nil
    } catch {
      return (error as? AppServerError)?.code
    }
  }

  @Test func theHandshakeSaysWhoWeAre() async throws {
    let codex = try await ScriptedCodex()
    let client = AppServerClient(
      name: "companion", title: "T", version: "1", experimentalApi: true, unwanted: ["account/rateLimits/updated"])
    let greeting = Task { try await codex.connection.initialize(client) }
    let expected: JSONValue = [
      "clientInfo": ["name": "companion", "title": "T", "version": "1"],
      "capabilities": ["experimentalApi": true, "optOutNotificationMethods": ["account/rateLimits/updated"]],
    ]
    #expect(try await codex.heard() == .request(id: .integer(1), method: "initialize", params: expected))
    try await codex.say(
      #"{"id":1,"result":{"userAgent":"companion/0.163.0 (Debian 12.0.0; x86_64) xterm","codexHome":"/h","platformOs":"linux"}}"#
    )
    #expect(try await codex.heard() == .notification(method: "initialized", params: nil))
    #expect(try await greeting.value.version == CodexVersion.oldest)
  }

  @Test func callsAreAnsweredWhateverComesBetween() async throws {
    let codex = try await ScriptedCodex()
    let first = Task { try await codex.connection.call("a") }
    #expect(try await codex.heard() == .request(id: .integer(1), method: "a", params: [:]))
    let second = Task { try await codex.connection.call("b") }
    #expect(try await codex.heard() == .request(id: .integer(2), method: "b", params: [:]))
    try await codex.say(
      #"{"method":"warning","params":{"message":"m"}}"#, "no JSON", #"{"id":2,"result":2}"#, #"{"id":99,"result":2}"#,
      #"{"id":1.5,"result":1}"#, #"{"id":1,"error":{"code":-32600,"message":"Not initialized"}}"#)
    #expect(try await second.value == 2)
    #expect(await error(of: first) == .refused(AppServerRefusal(code: -32600, message: "Not initialized")))
    let counts = codex.connection.counts
    #expect(counts.malformed == 2)
    #expect(counts.unmatchedAnswers == 1)
  }

  @Test func aCallWithoutAnswerEndsInTime() async throws {
    let codex = try await ScriptedCodex()
    let call = Task { try await codex.connection.call("a", within: .seconds(30)) }
    _ = try await codex.heard()
    await codex.channel.testingEventLoop.advanceTime(by: .seconds(29))
    try await codex.say(#"{"method":"warning","params":{"message":"m"}}"#)
    await codex.channel.testingEventLoop.advanceTime(by: .seconds(1))
    #expect(await error(of: call) == .timedOut)
  }

  @Test func anOverloadedCodexIsAskedAgain() async throws {
    let codex = try await ScriptedCodex()
    let call = Task { try await codex.connection.call("a") }
    _ = try await codex.heard()
    try await codex.say(#"{"error":{"code":-32001,"message":"Server overloaded; retry later."},"id":1}"#)
    await codex.channel.testingEventLoop.advanceTime(by: .milliseconds(100))
    #expect(try await codex.heard() == .request(id: .integer(2), method: "a", params: [:]))
    try await codex.say(#"{"id":2,"result":true}"#)
    #expect(try await call.value == true)
  }

  @Test func aCancelledCallEndsAtOnce() async throws {
    let codex = try await ScriptedCodex()
    let call = Task { try await codex.connection.call("a") }
    _ = try await codex.heard()
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    let early = Task {
      await withCheckedContinuation { $0.resume() }
      return try await codex.connection.call("b")
    }
    early.cancel()
    await #expect(throws: CancellationError.self) { try await early.value }
  }

  @Test func eventsComeInOrderAndRequestsAreAnswered() async throws {
    let codex = try await ScriptedCodex()
    try await codex.say(
      #"{"method":"turn/started","params":{"threadId":"t","turn":{"id":"u"}},"emittedAtMs":1}"#,
      #"{"id":0,"method":"item/fileChange/requestApproval","params":{"threadId":"t","turnId":"u","itemId":"i"}}"#,
      #"{"method":"new/thing","params":{}}"#)
    var events = codex.connection.events.makeAsyncIterator()
    guard case .notification(let started) = try await events.next() else {
      Issue.record("no notification")
      return
    }
    #expect(started.kind == .read && started.method == "turn/started")
    guard case .request(let request) = try await events.next() else {
      Issue.record("no request")
      return
    }
    try await codex.connection.answer(request.id, result: ["decision": "decline"])
    #expect(try await codex.heard() == .response(id: .integer(0), result: ["decision": "decline"]))
    try await codex.connection.refuse(.string("0"), message: "no")
    #expect(
      try await codex.heard() == .refusal(id: .string("0"), AppServerRefusal(code: -32601, message: "no")))
    guard case .notification(let new) = try await events.next() else {
      Issue.record("no notification")
      return
    }
    #expect(new.kind == .unknown)
    #expect(codex.connection.counts.unknownNotifications == 1)
  }

  @Test(arguments: ["new/request", "attestation/generate", "account/chatgptAuthTokens/refresh", "item/tool/call"])
  func whatNobodyAnswersIsRefusedAtOnce(method: String) async throws {
    let codex = try await ScriptedCodex()
    try await codex.say(#"{"id":"x","method":"\#(method)","params":{}}"#)
    guard case .refusal(.string("x"), let refusal) = try await codex.heard() else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.code == -32601)
    #expect(codex.connection.counts.refusedRequests == 1)
  }

  @Test func theEndEndsCallsAndEvents() async throws {
    let codex = try await ScriptedCodex()
    let call = Task { try await codex.connection.call("a") }
    _ = try await codex.heard()
    try await codex.say(#"{"method":"warning","params":{"message":"m"}}"#)
    try await codex.channel.close()
    #expect(await error(of: call) == .connectionLost)
    var events = codex.connection.events.makeAsyncIterator()
    #expect(try await events.next() != nil)
    let end = await #expect(throws: AppServerError.self) { try await events.next() }
    #expect(end?.code == .connectionLost)
    let late = await #expect(throws: AppServerError.self) { try await codex.connection.call("b") }
    #expect(late?.code == .connectionLost)
    let unsent = await #expect(throws: AppServerError.self) { try await codex.connection.notify("c") }
    #expect(unsent?.code == .connectionLost)
  }

  @Test func aConnectionThatIsClosedHereEndsItsEvents() async throws {
    let codex = try await ScriptedCodex()
    let reader = Task {
      var count = 0
      for try await _ in codex.connection.events { count += 1 }
      return count
    }
    try await codex.say(#"{"method":"warning","params":{"message":"m"}}"#)
    codex.connection.close()
    codex.connection.close()
    #expect(try await reader.value <= 1)
    let late = await #expect(throws: AppServerError.self) { try await codex.connection.call("b") }
    #expect(late?.code == .closed)
  }

  @Test func aMessageBeyondTheLimitEndsTheConnection() async throws {
    var limits = AppServerLimits()
    limits.messageBytes = 1_000
    let codex = try await ScriptedCodex(limits: limits)
    let call = Task { try await codex.connection.call("a") }
    _ = try await codex.heard()
    try await codex.say(#"{"id":1,"result":""# + String(repeating: "x", count: 2_000) + #""}"#)
    #expect(await error(of: call) == .tooLarge)
    var events = codex.connection.events.makeAsyncIterator()
    let end = await #expect(throws: AppServerError.self) { try await events.next() }
    #expect(end?.code == .tooLarge)
  }

  @Test func aMessageBeyondTheLimitIsNotSent() async throws {
    var limits = AppServerLimits()
    limits.messageBytes = 1_000
    let codex = try await ScriptedCodex(limits: limits)
    let long = JSONValue.string(String(repeating: "x", count: 2_000))
    let late = await #expect(throws: AppServerError.self) { try await codex.connection.call("a", long) }
    #expect(late?.code == .tooLarge)
    let notice = await #expect(throws: AppServerError.self) { try await codex.connection.notify("a", long) }
    #expect(notice?.code == .tooLarge)
    let call = Task { try await codex.connection.call("b") }
    _ = try await codex.heard()
    try await codex.say(#"{"id":1,"result":1}"#)
    #expect(try await call.value == 1)
  }

  @Test func aReaderThatIsCancelledEnds() async throws {
    let codex = try await ScriptedCodex()
    let reader = Task { for try await _ in codex.connection.events {} }
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    try await codex.say(#"{"method":"warning","params":{"message":"m"}}"#)
    var events = codex.connection.events.makeAsyncIterator()
    #expect(try await events.next() != nil)
  }
}
