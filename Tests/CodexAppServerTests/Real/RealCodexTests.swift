import CodexAppServer
import Foundation
import ResolveKitCore
import TestSupport
import Testing

/// The real codex, offline, with a made-up model.
@Suite(.enabled(if: CodexUnderTest.isWanted, "\(CodexUnderTest.reason)"), .serialized)
struct RealCodexTests {
  /// The events until a turn has completed, with its requests answered by `decision`.
  private static func turn(
    _ connection: AppServerConnection, in thread: JSONValue
  ) async throws -> [AppServerEvent] {
    let input: JSONValue = [["type": "text", "text": "go"]]
    _ = try await connection.call("turn/start", ["threadId": thread, "input": input, "approvalPolicy": "untrusted"])
    var events: [AppServerEvent] = []
    for try await event in connection.events {
      events.append(event)
      switch event {
      case .request(let request): try await connection.answer(request.id, result: ["decision": "decline"])
      case .notification(let notification):
        if notification.method == "turn/completed" { return events }
      }
    }
    return events
  }

  private static func startThread(_ connection: AppServerConnection, _ home: CodexHome) async throws -> JSONValue {
    let answer = try await connection.call(
      "thread/start", ["cwd": .string(home.work), "sandbox": "read-only"], within: .seconds(120))
    return try #require(answer.objectValue?["thread"]?.objectValue?["id"])
  }

  private static func notifications(_ events: [AppServerEvent]) -> [AppServerNotification] {
    events.compactMap { if case .notification(let notification) = $0 { notification } else { nil } }
  }

  private static func deltas(_ events: [AppServerEvent]) -> [String] {
    notifications(events).filter { $0.method == "item/agentMessage/delta" }
      .compactMap { $0.params.objectValue?["delta"]?.stringValue }
  }

  /// The last turn's ending.
  private static func status(_ events: [AppServerEvent]) -> String? {
    notifications(events).last?.params.objectValue?["turn"]?.objectValue?["status"]?.stringValue
  }

  @Test(.timeLimit(.minutes(5)))
  func overASocketItOutlivesUsAndIsStartedAgain() async throws {
    let model = try await MadeUpModel(
      .say("I look around."), .run(command: "touch q", callID: "call_1"), .say("Declined."))
    let home = try CodexHome(modelPort: model.port)
    let first = CodexRun(try home.configuration(.socket))
    let connection = try await first.started(joined: false)
    let thread = try await Self.startThread(connection, home)

    let said = try await Self.turn(connection, in: thread)
    #expect(Self.deltas(said).contains("look "))
    #expect(Self.notifications(said).contains { $0.method == "turn/started" && $0.kind == .read })
    #expect(Self.status(said) == "completed")
    #expect(Self.notifications(said).allSatisfy { $0.kind == .read || $0.kind == .passedOver })

    let asked = try await Self.turn(connection, in: thread)
    let commands = asked.compactMap { event -> String? in
      guard case .request(let request) = event, request.kind == .commandApproval else { return nil }
      return request.params.objectValue?["command"]?.stringValue
    }
    #expect(commands.count == 1 && commands.first?.contains("touch q") == true)
    let statuses = Self.notifications(asked).compactMap { notification -> String? in
      guard notification.method == "item/completed",
        let item = notification.params.objectValue?["item"]?.objectValue, item["type"] == "commandExecution"
      else { return nil }
      return item["status"]?.stringValue
    }
    #expect(statuses == ["declined"])
    #expect(connection.counts == AppServerCounts())

    // Who comes back joins it, and finds its threads.
    await first.leave()
    let second = CodexRun(try home.configuration(.socket))
    let joined = try await second.started(joined: true)
    _ = try await joined.call("thread/resume", ["threadId": thread, "excludeTurns": true], within: .seconds(120))

    // It dies: that is reported, and a new one is started over the socket that it left.
    let number = try #require(pid_t(String(contentsOfFile: home.folder.processNumber, encoding: .utf8)))
    #expect(kill(number, SIGKILL) == 0)
    #expect(try await second.ended().code == .connectionLost)
    let restarted = try await second.started(joined: false)
    _ = try await restarted.call("thread/resume", ["threadId": thread, "excludeTurns": true], within: .seconds(120))
    await second.leave()
    await second.process.end()
    #expect(!FileManager.default.fileExists(atPath: home.folder.socket))
  }

  @Test(.timeLimit(.minutes(5)))
  func aChildThatIsKilledIsReportedWithItsSignal() async throws {
    let model = try await MadeUpModel()
    let home = try CodexHome(modelPort: model.port)
    let run = CodexRun(try home.configuration(.socket))
    _ = try await run.started(joined: false)
    let number = try #require(pid_t(String(contentsOfFile: home.folder.processNumber, encoding: .utf8)))
    // It leads a session of its own.
    #expect(getsid(number) == number)
    #expect(kill(number, SIGKILL) == 0)
    #expect(try await run.ended().message.contains("signal 9"))
    _ = try await run.started(joined: false)
    await run.leave()
    await run.process.end()
  }

  @Test(.timeLimit(.minutes(5)))
  func overItsInputAndOutputItEndsWithUs() async throws {
    let model = try await MadeUpModel(.say("Hello there."))
    let home = try CodexHome(modelPort: model.port)
    let run = CodexRun(try home.configuration(.stdio))
    let connection = try await run.started(joined: false)
    let thread = try await Self.startThread(connection, home)
    let events = try await Self.turn(connection, in: thread)
    #expect(Self.deltas(events).contains("Hello "))
    #expect(Self.status(events) == "completed")
    let refused = await #expect(throws: AppServerError.self) { try await connection.call("no/such/method") }
    if case .refused(let refusal)? = refused?.code {
      #expect(refusal.code == -32600)
    } else {
      Issue.record("\(refused as Any)")
    }
    await run.leave()
    #expect(!connection.isOpen)
  }

  @Test(.timeLimit(.minutes(5)))
  func aCodexThatDoesNotStartIsReportedWithItsLog() async throws {
    let home = try CodexHome(modelPort: 9)
    var configuration = try home.configuration(.socket)
    configuration.arguments = ["--no-such-option"]
    let run = CodexRun(configuration)
    let reason = try await run.ended()
    #expect(reason.code == .startFailed)
    #expect(reason.message.contains("exited with 2"))
    await run.leave()
  }

  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      ("", true, nil), ("approval_policy = \"bogus\"", true, "unknown variant `bogus`"),
      ("a = [", true, "unclosed array"),
      ("approval_policy = \"untrusted\"", false, "remove this setting"),
    ] as [(String, Bool, String?)])
  func aTrialReportsErrorsOfItsConfiguration(text: String, starts: Bool, complaint: String?) async throws {
    let home = try CodexHome(modelPort: 9)
    try text.write(toFile: home.root + "/h/config.toml", atomically: true, encoding: .utf8)
    let trial = AppServerTrial(
      of: try CodexUnderTest.program(), environment: home.environment, within: .seconds(120))
    switch try await trial.run() {
    case .started(let greeting, let error):
      #expect(starts && greeting.version == .oldest)
      #expect((error == nil) == (complaint == nil))
      if let complaint { #expect(error?.contains(complaint) == true) }
    case .failed(let word):
      #expect(!starts)
      #expect(word.contains(complaint ?? ""))
    }
  }

  @Test func eachMethodOfItsSchemaIsKnown() throws {
    let folder = "/tmp/agent-stream-codex-\(UInt32.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let generator = Process()
    generator.executableURL = URL(fileURLWithPath: try CodexUnderTest.program().path)
    generator.arguments = ["app-server", "generate-json-schema", "--experimental", "--out", folder]
    generator.environment = ["CODEX_HOME": folder, "HOME": folder, "PATH": "/usr/bin:/bin"]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    generator.standardError = FileHandle.nullDevice
    generator.standardOutput = FileHandle.nullDevice
    try generator.run()
    generator.waitUntilExit()
    try #require(generator.terminationStatus == 0)

    let notifications = try SchemaMethods(file: folder + "/ServerNotification.json")
    #expect(notifications.methods.count >= 85)
    for (method, params) in notifications.methods {
      for variant in params {
        // Read, passed over, or counted as malformed; never as unknown.
        #expect(AppServerNotification(method: method, params: variant).kind != .unknown, "\(method)")
      }
      #expect(
        AppServerNotification(method: method, params: params[0]).kind != .unreadable, "\(method): \(params[0].jsonText)"
      )
    }
    let requests = try SchemaMethods(file: folder + "/ServerRequest.json")
    #expect(requests.methods.count >= 11)
    for (method, params) in requests.methods {
      for variant in params {
        #expect(AppServerRequest(id: .integer(0), method: method, params: variant).kind != .unknown, "\(method)")
      }
      #expect(AppServerRequest(id: .integer(0), method: method, params: params[0]).kind != .unreadable, "\(method)")
    }
  }
}
