import Foundation
import ResolveKitCore
import ResolveKitNetworking
import ResolveKitUI
import SessionSupport
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// Runtimes with a journal: one that is gone, and the next.
@Suite(.timeLimit(.minutes(10)))
@MainActor
struct RuntimeJournalTests {
  private let home = FileManager.default.temporaryDirectory.appending(path: "runtime-journal-\(UUID().uuidString)")

  private func runtime(
    _ server: ContractServer, in name: String = "sessions",
    resumption: ResolveKitJournalConfiguration.Resumption = .latest
  ) -> ResolveKitRuntime {
    var configuration = ResolveKitConfiguration(
      baseURL: URL(filePath: "/"), apiKeyProvider: { "rk_test" }, deviceIDProvider: { "device" },
      functions: [CountingTool.self, StayingTool.self, AskingTool.self], transport: .custom(server),
      journal: ResolveKitJournalConfiguration(
        folder: ResolveKitJournalFolder(path: home.appending(path: name).path), resumption: resumption))
    configuration.clock = TransportClock(InstantClock(upTo: .seconds(10)))
    return ResolveKitRuntime(configuration: configuration)
  }

  private func turn(_ updates: ResolveKitRuntimeUpdates) async -> ResolveKitFinishedTurn? {
    for await update in updates { if case .turn(let turn) = update { return turn } }
    return nil
  }

  /// Copies the files that a process killed now would leave.
  private func leave(_ from: String = "sessions", as copy: String) throws {
    try FileManager.default.copyItem(at: home.appending(path: from), to: home.appending(path: copy))
  }

  @Test func aSecondInstanceOfTheAppBeginsASessionOfItsOwn() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let server = ContractServer()
    let first = runtime(server)
    try await first.start()
    server.answer(
      "POST /v1/sessions",
      with: [(201, ContractServer.session("s1", isReused: true)), (201, ContractServer.session("s2"))])
    let second = runtime(server)
    try await second.start()
    #expect(first.connectionState == .active && second.connectionState == .active)
    await second.finish()
    await first.finish()
    let bodies = server.bodies(of: "POST /v1/sessions").compactMap(\.objectValue)
    #expect(bodies.map { $0["reuse_active_session"] } == [true, true, false])
    let names = bodies.compactMap { $0["device_id"]?.stringValue }
    #expect(names.prefix(2) == ["device", "device"] && names.last?.hasPrefix("device.") == true)
  }

  @Test("Invariants 6, 7 and 8: a tool that ran when the process ended is reported as interrupted, and not run again")
  func interruptedToolIsNotRunAgain() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let key = "stay-\(UUID())"
    let server = ContractServer(
      onMessage: { server, turn, request, _ in
        server.requestCall(turn: turn, request: request, tool: "stay", key: key)
      },
      onToolResult: { server, result in
        server.streamAnswer(turn: "t1", request: "", [result["error"]?.stringValue ?? "no error"])
      })
    let first = runtime(server)
    try await first.start()
    await first.sendMessage("stay")
    await StayingTool.started(key)
    try leave(as: "copy")

    let next = runtime(server, in: "copy")
    let updates = next.updates()
    try await next.start()
    let ended = try #require(await turn(updates))
    #expect(ended.status == .complete)
    #expect(ended.text.hasPrefix("Interrupted:"))
    #expect(RunCounter.count(key) == 1)
    let results = server.received.filter { $0.path.hasSuffix("/tool-results") }
    #expect(results.count == 1)
    #expect(server.received.count { $0.path.hasSuffix("/messages") && $0.method == "POST" } == 1)
    await next.finish()
    #expect(next.messages.map(\.role) == [.user, .assistant])
    await first.finish()
  }

  @Test func aStoppedConversationContinuesInTheNextProcess() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let server = ContractServer(onMessage: { server, turn, request, text in
      server.streamAnswer(turn: turn, request: request, ["answer to \(text)"])
    })
    for text in ["one", "two"] {
      let runtime = runtime(server)
      let updates = runtime.updates()
      try await runtime.start()
      await runtime.sendMessage(text)
      #expect(await turn(updates)?.text == "answer to \(text)")
      await runtime.finish()
    }
    let last = runtime(server)
    try await last.start()
    await last.finish()
    #expect(last.messages.map(\.text) == ["one", "answer to one", "two", "answer to two"])
    // Each stream after the first continued from the cursor: nothing was replayed.
    let streams = server.received.filter { $0.path.hasPrefix("/v1/sessions/s1/events") }.map(\.path)
    #expect(streams.first?.contains("cursor=") == false)
    #expect(streams.dropFirst().allSatisfy { $0.contains("cursor=") })
  }

  @Test func aWaitingApprovalIsAskedAgain() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let key = "ask-\(UUID())"
    let server = ContractServer(
      onMessage: { server, turn, request, _ in
        server.requestCall(turn: turn, request: request, tool: "ask_first", key: key)
      },
      onToolResult: { server, result in
        server.streamAnswer(turn: "t1", request: "", [result["result"]?.stringValue ?? "no result"])
      })
    let first = runtime(server)
    let firstUpdates = first.updates()
    try await first.start()
    await first.sendMessage("ask")
    for await update in firstUpdates { if case .approvalNeeded = update { break } }
    try leave(as: "copy")
    let stored = try #require(try ResolveKitJournalFolder(path: home.appending(path: "copy").path).sessions().first)
    #expect(stored.pendingApprovals.map(\.functionName) == ["ask_first"])
    #expect(stored.isTurnInProgress && !stored.isInUse)

    let next = runtime(server, in: "copy")
    let updates = next.updates()
    try await next.start()
    for await update in updates {
      if case .approvalNeeded(let question) = update {
        #expect(question.calls.map(\.functionName) == ["ask_first"])
        await next.approveToolCallBatch(question)
      }
      if case .turn(let turn) = update {
        #expect(turn.text == "agreed")
        break
      }
    }
    #expect(RunCounter.count(key) == 1)
    await next.finish()
    await first.finish()
  }

  @Test(
    "Invariant 8: a start that fails takes nothing from what is kept", arguments: [false, true])
  func aStartThatFailsTakesNothing(isSameRuntime: Bool) async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let key = "offline-\(UUID())"
    let server = ContractServer(
      onMessage: { server, turn, request, _ in
        server.requestCall(turn: turn, request: request, tool: "count", key: key)
      },
      onToolResult: { server, result in
        server.streamAnswer(turn: "t1", request: "", [result["result"]?.stringValue ?? "no result"])
      })
    let results = "POST /v1/sessions/s1/tool-results"
    let busy = (503, #"{"detail":"busy"}"#)
    server.answer(results, with: Array(repeating: busy, count: 5))
    let first = runtime(server)
    let firstUpdates = first.updates()
    try await first.start()
    await first.sendMessage("count")
    // The fifth pause is longer than the test's clock sleeps.
    for await case .note(let line) in firstUpdates where line.contains("in 16 s") { break }
    try leave(as: "copy")
    // Its own attempts are none of the next one's.
    await first.finish()

    server.answer("PUT /v1/functions/bulk", with: [busy])
    let second = runtime(server, in: "copy")
    await #expect(throws: ResolveKitStartError.self) { try await second.start() }
    if !isSameRuntime { await second.finish() }
    let next = isSameRuntime ? second : runtime(server, in: "copy")
    let updates = next.updates()
    try await next.start()
    #expect(await turn(updates)?.text == "counted")
    #expect(RunCounter.count(key) == 1)
    #expect(server.bodies(of: results).count == 6)
    await next.finish()
    #expect(next.messages.map(\.role) == [.user, .assistant])
  }

  @Test func aSessionInUseIsNotTakenUpTwice() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let server = ContractServer()
    let first = runtime(server)
    try await first.start()
    let second = runtime(server, resumption: .session("s1"))
    await #expect { try await second.start() } throws: { ($0 as? JournalError)?.code == .inUse }
    let missing = runtime(server, resumption: .session("s9"))
    await #expect { try await missing.start() } throws: { ($0 as? JournalError)?.code == .notFound }
    await first.finish()
    try await second.start()
    await second.finish()
  }

  @Test("Invariant 17: no secret reaches the journal")
  func noSecretIsKept() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let server = ContractServer(onMessage: { server, turn, request, _ in
      server.streamAnswer(turn: turn, request: request, ["ok"])
    })
    let runtime = runtime(server)
    let updates = runtime.updates()
    try await runtime.start()
    await runtime.sendMessage("hello")
    _ = await turn(updates)
    await runtime.finish()
    let folder = home.appending(path: "sessions")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let bytes = try Data(contentsOf: folder.appending(path: name))
      for secret in ["rk_test", "capability-"] {
        #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(name) holds \(secret)")
      }
    }
  }
}

/// A tool that stays until it is cancelled.
enum StayingTool: AnyResolveKitFunction {
  static let resolveKitName = "stay"
  static let resolveKitDescription = "Stays."
  static let resolveKitRequiresApproval = false
  static let resolveKitParametersSchema: JSONObject = [:]

  private static let starts = AsyncStream<String>.makeStream()

  /// Returns once the run with that key has begun; one test at a time may wait.
  static func started(_ key: String) async {
    for await other in starts.stream where other == key { return }
  }

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    let key = arguments["key"]?.stringValue ?? ""
    RunCounter.add(key)
    starts.continuation.yield(key)
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    _ = continuation
    try Task.checkCancellation()
    return .null
  }
}
