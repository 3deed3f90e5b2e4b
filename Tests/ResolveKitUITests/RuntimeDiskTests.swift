import Foundation
import ResolveKitCore
import ResolveKitNetworking
import ResolveKitUI
import SessionSupport
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// Runtimes whose journal is on a disk that fails, or takes its time.
@Suite(.timeLimit(.minutes(10)))
@MainActor
struct RuntimeDiskTests {
  private let home = FileManager.default.temporaryDirectory.appending(path: "runtime-disk-\(UUID().uuidString)")
  private var folder: ResolveKitJournalFolder { ResolveKitJournalFolder(path: home.appending(path: "sessions").path) }

  private func runtime(_ server: any HTTPTransport, _ disk: FaultyDisk) -> ResolveKitRuntime {
    var configuration = ResolveKitConfiguration(
      baseURL: URL(filePath: "/"), apiKeyProvider: { "rk_test" }, deviceIDProvider: { "device" },
      functions: [WitnessTool.self], transport: .custom(server), approvalStore: ResolveKitApprovalStore(),
      journal: ResolveKitJournalConfiguration(folder: folder))
    configuration.timeouts = ResolveKitAPITimeouts(setUp: .seconds(60), call: .seconds(60), bulk: .seconds(60))
    configuration.clock = TransportClock(InstantClock(upTo: .seconds(10)))
    configuration.disk = disk.disk
    return ResolveKitRuntime(configuration: configuration)
  }

  /// Asks for one call of the witness in each turn, and answers with what it gave.
  private func server(_ witness: String) -> ContractServer {
    ContractServer(
      onMessage: { server, turn, request, _ in
        server.requestCall(turn: turn, request: request, tool: "witness", key: "\(witness) \(turn)")
      },
      onToolResult: { server, result in
        let words = result["result"]?.stringValue ?? result["error"]?.stringValue ?? ""
        server.streamAnswer(turn: result["turn_id"]?.stringValue ?? "", request: "", [words])
      })
  }

  private struct Ending {
    var turn: ResolveKitFinishedTurn?
    var failure: String?
  }

  /// One turn, or the rest of one that is left, up to its end or the connection's.
  private func converse(_ runtime: ResolveKitRuntime) async -> Ending {
    var ending = Ending()
    let updates = runtime.updates()
    do {
      try await runtime.start()
    } catch {
      ending.failure = "\(error)"
      return ending
    }
    // Does nothing where a turn is left.
    await runtime.sendMessage("go")
    for await update in updates {
      if case .turn(let turn) = update { ending.turn = turn }
      if case .connection(let connection) = update, connection.state == .failed { ending.failure = connection.reason }
      if ending.failure != nil || ending.turn?.status == .complete { break }
    }
    return ending
  }

  @Test(
    "Invariant 7: on a full disk no tool starts whose intent is not kept, and the next session continues",
    arguments: FaultyDisk.Fault.allCases, [false, true])
  func aFullDiskIsReportedAndGotOver(fault: FaultyDisk.Fault, isSameRuntime: Bool) async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let whole = FaultyDisk(fault)
    let count = "\(fault) \(isSameRuntime)"
    WitnessTool.watch(count, whole, in: home)
    let first = runtime(server(count), whole)
    #expect(await converse(first).turn?.text == "kept")
    await first.finish()
    #expect(whole.calls > 5)
    for call in 1...whole.calls {
      try FileManager.default.removeItem(at: home)
      let witness = "\(fault) \(isSameRuntime) \(call)"
      let disk = FaultyDisk(fault, failingCall: call)
      WitnessTool.watch(witness, disk, in: home)
      let server = server(witness)
      let broken = runtime(server, disk)
      let ending = await converse(broken)
      if ending.turn?.status != .complete {
        let failure = try #require(ending.failure, "call \(call)")
        #expect(failure.contains(fault == .broken ? "cannot be" : "Make room on the disk."), "call \(call): \(failure)")
      }
      if !isSameRuntime { await broken.finish() }
      disk.repair()
      let next = isSameRuntime ? broken : runtime(server, disk)
      var last: Ending
      repeat {
        last = await converse(next)
        // The failure may come after the turn's end.
      } while isSameRuntime && last.failure != nil
      #expect(last.turn?.status == .complete, "call \(call): \(last)")
      #expect(last.turn?.text == "kept" || last.turn?.text.hasPrefix("Interrupted:") == true, "call \(call): \(last)")
      await next.finish()
      let stored = try #require(try folder.sessions().first, "call \(call)")
      #expect(stored.id == "s1" && stored.server.isEmpty == false && stored.deviceID == "device", "call \(call)")
      for turn in 1...4 { #expect(RunCounter.count("\(witness) t\(turn)") <= 1, "call \(call), turn \(turn)") }
      let results = server.bodies(of: "POST /v1/sessions/s1/tool-results")
      #expect(Set(results).count == Set(results.map { $0.objectValue?["call_id"] }).count, "one result for each call")
    }
  }

  @Test func aMessageIsPostedOnceItIsKeptAlsoWhereTheStreamOpensBefore() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let isHeld = Mutex(false)
    let isKept = Mutex(true)
    let release = DispatchSemaphore(value: 0)
    let disk = FaultyDisk(onSynchronize: {
      guard isHeld.withLock({ $0 }) else { return }
      isHeld.withLock { $0 = false }
      release.wait()
      isKept.withLock { $0 = true }
    })
    let server = ContractServer(onMessage: { server, turn, request, _ in
      #expect(isKept.withLock { $0 })
      server.streamAnswer(turn: turn, request: request, ["ok"])
    })
    let runtime = runtime(server, disk)
    try await runtime.start()
    let updates = runtime.updates()
    func wait(for state: ResolveKitConnectionState) async {
      for await case .connection(let connection) in updates where connection.state == state { return }
    }
    let gate = Gate()
    server.hold("GET /v1/sessions/s1/events", until: gate)
    await server.close()
    await wait(for: .reconnecting)
    isKept.withLock { $0 = false }
    isHeld.withLock { $0 = true }
    await runtime.sendMessage("hello")
    gate.open()
    await wait(for: .reconnected)
    try await runtime.refreshSessionContext()
    #expect(server.bodies(of: "POST /v1/sessions/s1/messages").isEmpty)
    release.signal()
    for await case .turn(let turn) in updates {
      #expect(turn.text == "ok")
      break
    }
    await runtime.finish()
  }

  @Test func aRuntimeThatNobodyHoldsGivesUpItsSession() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let server = ContractServer()
    var first: ResolveKitRuntime? = runtime(server, FaultyDisk())
    let updates = try #require(first?.updates())
    try await first?.start()
    #expect(try folder.session("s1").isInUse)
    first = nil
    for await _ in updates {}
    #expect(try !folder.session("s1").isInUse)
  }

  @Test func anAnswerToAStoppedRuntimeOpensNothing() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let server = ContractServer()
    let gate = Gate()
    let (asked, continuation) = AsyncStream<Void>.makeStream()
    server.hold("snapshot", until: gate, onHold: { continuation.yield() })
    let runtime = runtime(server, FaultyDisk())
    let start = Task { try await runtime.start() }
    for await _ in asked { break }
    await runtime.stop()
    gate.open()
    await #expect(throws: CancellationError.self) { try await start.value }
    await runtime.finish()
    #expect(try folder.sessions().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }
}

/// A tool that looks whether the disk has its intent before it does anything.
private enum WitnessTool: AnyResolveKitFunction {
  static let resolveKitName = "witness"
  static let resolveKitDescription = "Tells whether its start is kept."
  static let resolveKitRequiresApproval = false
  static let resolveKitParametersSchema: JSONObject = [:]

  private static let disks = Mutex<[String: (FaultyDisk, URL)]>([:])

  static func watch(_ name: String, _ disk: FaultyDisk, in home: URL) { disks.withLock { $0[name] = (disk, home) } }

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    let key = arguments["key"]?.stringValue ?? ""
    RunCounter.add(key)
    let name = key.split(separator: " ").dropLast().joined(separator: " ")
    guard let (disk, home) = disks.withLock({ $0[name] }) else { return .string("unwatched") }
    let copy = home.appending(path: "witness")
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    try Data(disk.durable).write(to: copy.appending(path: "copy.journal"))
    let stored = try ResolveKitJournalFolder(path: copy.path).sessions().first
    return .string(stored?.interruptedFunctions == ["witness"] ? "kept" : "not kept: \(stored, default: "nothing")")
  }
}
