import CodexWorkersClient
import EventLedger
import ResolveKitCore
import TestSupport
import Testing

/// The exit criteria of the roadmap's phases, in its words: the client against the runtime, over loopback.
@Suite(.timeLimit(.minutes(5)))
struct ExitCriteriaTests {
  private let worker = ScriptedDevice.worker

  private func request(
    _ id: String, _ method: String = "thread/list", _ params: JSONObject = [:]
  ) -> WorkerControlRequest {
    WorkerControlRequest(id: id, method: method, params: params)
  }

  /// The code of what a call throws.
  private func refusal(_ call: () async throws -> some Sendable) async -> WorkersError.Code? {
    do {
      _ = try await call()
      return nil
    } catch { return (error as? WorkersError)?.code }
  }

  @Test("Phase 1: signed-in user sees principal-scoped worker list")
  func principalScopedList() async throws {
    try await LoopbackRuntime.run { runtime in
      let tokens = [
        try await runtime.signIn("ana@example.com").token, try await runtime.signIn("ben@example.com").token,
      ]
      let clients = tokens.map { token in runtime.client { token } }
      for (client, id) in zip(clients, ["worker-of-ana", "worker-of-ben"]) {
        _ = try await client.register(WorkerRegistration(workerID: id))
      }
      #expect(try await clients[0].list().map(\.id) == ["worker-of-ana"])
      #expect(try await clients[1].list().map(\.id) == ["worker-of-ben"])
      #expect(await refusal { try await clients[0].snapshot(of: "worker-of-ben") } == .forbidden)
      #expect(await refusal { try await runtime.client { nil }.list() } == .signInNeeded)
    }
  }

  @Test(
    "Phase 1: stream reconnects and advances cursor without event loss/duplication", arguments: [1, 2, 3] as [UInt64])
  func reconnects(_ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let cuts = (0..<12).map { _ in
      CuttingTransport.Cut(
        afterBytes: Int.random(in: 1...1_500, using: &generator), isClean: Bool.random(using: &generator))
    }
    try await LoopbackRuntime.run { runtime in
      let writer = try await runtime.client(of: "ana@example.com")
      try await ScriptedDevice(client: writer).register()
      let reader = try await runtime.client(of: "ana@example.com", cuts: cuts)
      let writing = Task {
        for number in 0..<60 {
          _ = try await writer.store(
            WorkerEventDraft(payload: ["n": .number(Double(number))]), in: ScriptedDevice.worker)
        }
      }
      var events: [WorkerEvent] = []
      try await reader.watch(worker, after: 0) { update in
        guard case .event(let event) = update else { return .taken }
        events.append(event)
        return event.sequence < 62 ? .taken : .enough
      }
      try await writing.value
      #expect(events.map(\.sequence) == Array(1...62), "seed \(seed)")
      #expect(events.compactMap { $0.payload["n"]?.integerValue } == Array(0..<60), "seed \(seed)")
    }
  }

  @Test("Phase 1: snapshot and stream stay coherent under reconnect")
  func coherent() async throws {
    try await LoopbackRuntime.run { runtime in
      let writer = try await runtime.client(of: "ana@example.com")
      try await ScriptedDevice(client: writer).register()
      let reader = try await runtime.client(
        of: "ana@example.com",
        cuts: (0..<6).map { CuttingTransport.Cut(afterBytes: 400 + $0, isClean: $0 % 2 == 0) })
      var applied = try await reader.snapshot(of: worker).latestSequence
      let start = applied
      for round in 0..<8 {
        _ = try await writer.store(WorkerEventDraft(payload: ["round": .number(Double(round))]), in: worker)
        let end = try await reader.snapshot(of: worker).latestSequence
        // What the snapshot says is there the stream brings, and not one event more.
        try await reader.watch(worker, after: applied) { update in
          switch update {
          case .event(let event):
            #expect(event.sequence == applied + 1)
            applied = event.sequence
          case .snapshot(let snapshot): #expect(snapshot.latestSequence >= applied)
          case .lost, .rewound: Issue.record("round \(round): \(update)")
          case .link: break
          }
          return applied < end ? .taken : .enough
        }
        #expect(applied == end)
      }
      #expect(applied == start + 8)
    }
  }

  @Test("Phase 2: request and stop actions work with runtime policy semantics")
  func requestAndStop() async throws {
    try await LoopbackRuntime.run { runtime in
      let device = try await runtime.client(of: "ana@example.com")
      let person = try await runtime.client(of: "ana@example.com")
      try await ScriptedDevice.run(device) {
        let answer = try await person.send(request("req-list", "thread/list", ["limit": 3]), to: worker)
        #expect(answer.isOK && answer.response == ["echo": ["limit": 3]])
        // Sent again it is performed once.
        #expect(try await person.send(request("req-list", "thread/list", ["limit": 3]), to: worker) == answer)
        let refused = try await person.send(request("req-read", "thread/read"), to: worker)
        #expect(!refused.isOK && refused.response.objectValue?["code"] == "invalid_request")
        #expect(await refusal { try await person.send(request("req-x", "thread/archive"), to: worker) } == .invalid)
        async let waiting = person.send(request("req-turn", "turn/start"), to: worker)
        try await until {
          try await events(runtime).contains { $0.type == "worker.request" && id(of: $0) == "req-turn" }
        }
        let stop = try await person.stop(worker, reason: "enough for today")
        #expect(stop.status == .stopped && !stop.isReplay)
        // What waited has its end, before the worker's.
        #expect(try await waiting.response.objectValue?["code"] == "worker_unavailable")
        #expect(try await person.stop(worker).isReplay)
        let stored = try await events(runtime)
        #expect(stored.last?.payload["reason"] == "enough for today")
        let receipts = stored.filter { ["worker.response", "worker.error"].contains($0.type) }.map(id)
        #expect(receipts.sorted() == ["req-list", "req-read", "req-turn"])
      }
    }
  }

  @Test("Phase 2: forbidden/conflict states are shown clearly and non-destructively")
  func forbiddenAndConflict() async throws {
    try await LoopbackRuntime.run { runtime in
      let device = try await runtime.client(of: "ana@example.com")
      let person = try await runtime.client(of: "ana@example.com")
      let stranger = try await runtime.client(of: "ben@example.com")
      try await ScriptedDevice.run(device) {
        _ = try await person.send(request("req-a"), to: worker)
        let before = try await events(runtime)
        let draft = WorkerEventDraft(payload: [:])
        #expect(await refusal { try await stranger.stop(worker, reason: "mine now") } == .forbidden)
        #expect(await refusal { try await stranger.send(request("req-b"), to: worker) } == .forbidden)
        #expect(await refusal { try await stranger.store(draft, in: worker) } == .forbidden)
        #expect(await refusal { try await person.send(request("req-a", "thread/start"), to: worker) } == .conflict)
        #expect(try await events(runtime) == before)
        #expect(try await person.send(request("req-c"), to: worker).isOK)
        _ = try await person.stop(worker)
        let over = try await events(runtime)
        do {
          _ = try await person.send(request("req-d"), to: worker)
          Issue.record("a stopped worker took a request")
        } catch let error as WorkersError {
          #expect(error.code == .conflict && error.message.contains("create it again under its id"))
        }
        #expect(await refusal { try await person.store(draft, in: worker) } == .conflict)
        #expect(try await events(runtime) == over)
      }
    }
  }

  @Test("Phase 3: action outcomes remain traceable via request IDs")
  func traceable() async throws {
    try await LoopbackRuntime.run { runtime in
      let device = try await runtime.client(of: "ana@example.com")
      let person = try await runtime.client(of: "ana@example.com")
      try await ScriptedDevice.run(device) {
        _ = try await person.send(request("req-traced"), to: worker)
        #expect(await refusal { try await person.send(request("req-traced", "thread/start"), to: worker) } == .conflict)
      }
      #expect(runtime.outcomes.filter { $0.id == "req-traced" }.map(\.status) == ["200", "409"])
      let sent = runtime.clientLog.lines.filter { $0.metadata["x-request-id"] == "req-traced" }
      #expect(sent.count == 2 && sent.last?.metadata["status"] == "409")
      #expect(try await events(runtime).contains { $0.type == "worker.response" && id(of: $0) == "req-traced" })
    }
  }

  private func events(_ runtime: LoopbackRuntime) async throws -> [WorkerEvent] {
    try await runtime.ledger.events(of: "events/\(worker)", after: 0, limit: 1_000).map { event in
      WorkerEvent(
        workerID: worker, sequence: event.sequence, type: event.type,
        payload: try JSONValue(parsing: event.payload).objectValue ?? [:], occurredAt: "")
    }
  }

  private func id(of event: WorkerEvent) -> String { event.payload["request_id"]?.stringValue ?? "" }
}
