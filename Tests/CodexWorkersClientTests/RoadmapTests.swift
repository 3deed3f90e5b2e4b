import ResolveKitCore
import StreamTransport
import Synchronization
import TestSupport
import Testing

@testable import CodexWorkersClient

/// The exit criteria and the verification matrix of the roadmap that this client was written for, in its words.
@Suite(.timeLimit(.minutes(5)))
struct RoadmapTests {
  private let runtime = ScriptedRuntime()

  /// Watches until the event of this number, and gives the sequences in the order of their coming.
  private func watch(
    _ client: WorkersClient, after cursor: Int64 = 0, until last: Int64, note: (WorkerUpdate) -> Void = { _ in }
  ) async throws -> [Int64] {
    var sequences: [Int64] = []
    try await client.watch(ScriptedRuntime.worker, after: cursor) { update in
      note(update)
      guard case .event(let event) = update else { return .taken }
      sequences.append(event.sequence)
      return event.sequence < last ? .taken : .enough
    }
    return sequences
  }

  @Test("Phase 1: stream reconnects and advances cursor without event loss/duplication")
  func reconnects() async throws {
    for _ in 0..<10 { runtime.add() }
    runtime.fault(
      .end(after: 2), .tear(after: 1), .end(after: 0), .status(503, "{}"), .errorEvent("stream returned HTTP 500"),
      .tear(after: 3))
    #expect(try await watch(runtime.client(), until: 10) == Array(1...10))
    #expect(runtime.cursors == [0, 2, 3, 3, 3, 3, 6])
  }

  @Test("Phase 1: snapshot and stream stay coherent under reconnect")
  func coherent() async throws {
    for _ in 0..<5 { runtime.add() }
    var snapshots: [WorkerSnapshot] = []
    runtime.fault(.tear(after: 2), .end(after: 1))
    let sequences = try await watch(runtime.client(), until: 5) { update in
      if case .snapshot(let snapshot) = update { snapshots.append(snapshot) }
    }
    #expect(sequences == Array(1...5))
    #expect(snapshots.allSatisfy { $0.latestSequence == 5 })
  }

  @Test("Phase 1: signed-in user sees principal-scoped worker list")
  func list() async throws {
    #expect(try await runtime.client().list().map(\.id) == [ScriptedRuntime.worker])
    await #expect { try await runtime.client(token: { "another's" }).list() } throws: {
      ($0 as? WorkersError)?.code == .signInNeeded
    }
  }

  @Test("Phase 2: forbidden/conflict states are shown clearly and non-destructively")
  func forbiddenAndConflict() async throws {
    let client = runtime.client()
    runtime.refuse("/stop", 403, #"{"error":{"code":"forbidden","message":"worker does not belong to principal"}}"#)
    await #expect { try await client.stop(ScriptedRuntime.worker, reason: "r") } throws: {
      ($0 as? WorkersError)?.code == .forbidden
    }
    #expect(runtime.events.isEmpty)
  }

  @Test("Phase 3: network flap tests recover automatically", arguments: 1...8 as ClosedRange<UInt64>)
  func flap(_ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<30 { runtime.add() }
    for _ in 0..<20 {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: runtime.fault(.tear(after: Int.random(in: 0...3, using: &generator)))
      case 1: runtime.fault(.status(503, "{}"))
      case 2: runtime.fault(.end(after: Int.random(in: 0...2, using: &generator)))
      default: runtime.fault(.unreachable)
      }
    }
    var links: [WorkerLink] = []
    let sequences = try await watch(runtime.client(), until: 30) { update in
      if case .link(let link) = update { links.append(link) }
    }
    // Nobody did anything about it.
    #expect(sequences == Array(1...30), "seed \(seed)")
    #expect(links.contains { if case .waiting(_, because: _?) = $0 { true } else { false } }, "seed \(seed)")
  }

  @Test("Phase 3: action outcomes remain traceable via request IDs")
  func traceable() async throws {
    let id = LetterID.make("remotereq-")
    _ = try await runtime.client().send(
      WorkerControlRequest(id: id, method: "thread/list"), to: ScriptedRuntime.worker)
    #expect(runtime.requestIDs == [id])
    runtime.refuse("/stop", 409, "{}")
    await #expect { try await runtime.client().stop(ScriptedRuntime.worker) } throws: {
      ($0 as? WorkersError)?.requestID == runtime.requestIDs.last
    }
  }

  @Test("Integration: list -> snapshot -> stream lifecycle")
  func lifecycle() async throws {
    for _ in 0..<3 { runtime.add() }
    let client = runtime.client()
    let listed = try #require(try await client.list().first)
    let snapshot = try await client.snapshot(of: listed.id)
    #expect(snapshot.latestSequence == 3)
    runtime.add()
    #expect(try await watch(client, after: snapshot.latestSequence, until: 4) == [4])
  }

  @Test("Integration: request -> response event chain")
  func requestChain() async throws {
    let client = runtime.client()
    var timeline = WorkerTimeline()
    let request = WorkerControlRequest(id: LetterID.make("remotereq-"), method: "thread/list")
    timeline.willSend(request)
    #expect(try await client.send(request, to: ScriptedRuntime.worker).isOK)
    try await client.watch(ScriptedRuntime.worker, after: 0) { update in
      timeline.take(update)
      if case .event(let event) = update, event.sequence == 3 { return .enough }
      return .taken
    }
    // The second receipt that this runtime writes is not shown.
    #expect(timeline.entries.count == 2)
    #expect(timeline.requests.pending.isEmpty)
  }

  @Test("Integration: stop behavior and conflict semantics")
  func stop() async throws {
    let client = runtime.client()
    #expect(try await client.stop(ScriptedRuntime.worker, reason: "enough").status == .stopped)
    await #expect {
      try await client.send(WorkerControlRequest(id: "r", method: "thread/list"), to: ScriptedRuntime.worker)
    } throws: {
      ($0 as? WorkersError)?.code == .conflict && "\($0)".contains("create it again")
    }
  }

  @Test("Integration: auth expiry and re-auth behavior")
  func reAuthentication() async throws {
    for _ in 0..<4 { runtime.add() }
    let token = Mutex("good")
    let client = runtime.client(token: { token.withLock { $0 } })
    var sequences: [Int64] = []
    runtime.fault(.end(after: 2))
    try await client.watch(
      ScriptedRuntime.worker, after: 0,
      signIn: {
        token.withLock { $0 = "new" }
        return true
      },
      { update in
        guard case .event(let event) = update else { return .taken }
        sequences.append(event.sequence)
        if event.sequence == 2 { runtime.takeOnly("new") }
        return event.sequence < 4 ? .taken : .enough
      })
    #expect(sequences == [1, 2, 3, 4])
    runtime.takeOnly("newest")
    await #expect { try await watch(client, until: 4) } throws: { ($0 as? WorkersError)?.code == .signInNeeded }
  }

  @Test("End-to-end: an event that could not be dealt with is replayed")
  func replay() async throws {
    for _ in 0..<3 { runtime.add() }
    var sequences: [Int64] = []
    try await runtime.client().watch(ScriptedRuntime.worker, after: 0) { update in
      guard case .event(let event) = update else { return .taken }
      sequences.append(event.sequence)
      if sequences == [1, 2] { return .again }
      return event.sequence < 3 ? .taken : .enough
    }
    #expect(sequences == [1, 2, 2, 3])
  }

  @Test("Unit: cancellation behavior")
  func cancellation() async throws {
    let runtime = runtime
    let opened = Gate()
    let watch = Task {
      try await runtime.client(clock: ManualClock()).watch(ScriptedRuntime.worker, after: 0) { update in
        if case .link(.live) = update { opened.open() }
        return .taken
      }
    }
    await opened.wait()
    watch.cancel()
    await #expect(throws: CancellationError.self) { try await watch.value }
  }
}
