import CodexWorkersClient
import ResolveKitCore
import Synchronization
import TestSupport
import Testing

/// The integration and end-to-end rows of the roadmap's verification matrix, in its words: the client against the runtime,
/// over loopback.
@Suite(.timeLimit(.minutes(5)))
struct VerificationMatrixTests {
  private let worker = ScriptedDevice.worker

  @Test("Integration: list -> snapshot -> stream lifecycle")
  func lifecycle() async throws {
    try await LoopbackRuntime.run { runtime in
      let client = try await runtime.client(of: "ana@example.com")
      try await ScriptedDevice(client: client).register()
      let listed = try #require(try await client.list(status: .running).first)
      let snapshot = try await client.snapshot(of: listed.id)
      #expect(snapshot.latestSequence == listed.latestSequence && snapshot.heartbeat.state == .fresh)
      _ = try await client.store(WorkerEventDraft(payload: ["n": 1]), in: listed.id)
      _ = try await client.stop(listed.id, reason: "done")
      var types: [String] = []
      try await client.watch(listed.id, after: snapshot.latestSequence) { update in
        if case .event(let event) = update { types.append(event.type) }
        return types.last == "worker.stopped" ? .enough : .taken
      }
      #expect(types == ["worker.event", "worker.stopped"])
      #expect(try await client.list(status: .running).isEmpty)
    }
  }

  @Test("Integration: request -> response event chain; End-to-end: iOS-admin action visible in web admin timeline")
  func requestChain() async throws {
    try await LoopbackRuntime.run { runtime in
      let device = try await runtime.client(of: "ana@example.com")
      let phone = try await runtime.client(of: "ana@example.com")
      let web = try await runtime.client(of: "ana@example.com")
      try await ScriptedDevice.run(device) {
        let request = WorkerControlRequest(id: "req-phone", method: "thread/list")
        #expect(try await phone.send(request, to: worker).isOK)
        var timeline = WorkerTimeline()
        try await web.watch(worker, after: 0) { update in
          timeline.take(update)
          if case .event(let event) = update, WorkerReceipt(event) != nil { return .enough }
          return .taken
        }
        let chain = timeline.entries.compactMap { entry -> WorkerEvent? in
          if case .event(let event) = entry, event.payload["request_id"] == "req-phone" { event } else { nil }
        }
        #expect(chain.map(\.type) == ["worker.request", "worker.response"])
        #expect(chain.map(\.method) == ["thread/list", "thread/list"])
      }
    }
  }

  @Test("Integration: stop behavior and conflict semantics")
  func stop() async throws {
    try await LoopbackRuntime.run { runtime in
      let client = try await runtime.client(of: "ana@example.com")
      try await ScriptedDevice(client: client).register()
      #expect(try await client.stop(worker, reason: "enough").status == .stopped)
      await #expect {
        try await client.send(WorkerControlRequest(id: "r", method: "thread/list"), to: worker)
      } throws: {
        ($0 as? WorkersError)?.code == .conflict
      }
      // Its remedy is in the error's sentence, and works.
      let again = try await client.register(WorkerRegistration(workerID: worker))
      #expect(again.status == .running && !again.isReplay && again.latestSequence == 4)
    }
  }

  @Test("Integration: auth expiry and re-auth behavior")
  func reAuthentication() async throws {
    try await LoopbackRuntime.run { runtime in
      let writer = try await runtime.client(of: "ana@example.com")
      try await ScriptedDevice(client: writer).register()
      let first = try await runtime.signIn("ana@example.com")
      let token = Mutex(first.token)
      let signIns = Mutex(0)
      // Each poll ends soon, so that the next one shows the token again.
      let cuts = (0..<8).map { _ in CuttingTransport.Cut(afterBytes: 600, isClean: true) }
      let reader = runtime.client(cuts: cuts) { token.withLock { $0 } }
      var sequences: [Int64] = []
      try await reader.watch(
        worker, after: 0,
        signIn: {
          guard let credential = try? await runtime.signIn("ana@example.com") else { return false }
          token.withLock { $0 = credential.token }
          signIns.withLock { $0 += 1 }
          return true
        },
        { update in
          guard case .event(let event) = update else { return .taken }
          sequences.append(event.sequence)
          if event.sequence == 2 { try await runtime.endSignIns(of: first.userID) }
          if event.sequence < 14 {
            _ = try await writer.store(WorkerEventDraft(payload: ["n": 1]), in: worker)
            return .taken
          }
          return .enough
        })
      #expect(sequences == Array(1...14))
      #expect(signIns.withLock { $0 } == 1)
      await #expect {
        try await runtime.client { first.token }.list()
      } throws: {
        ($0 as? WorkersError)?.code == .signInNeeded
      }
    }
  }

  @Test("End-to-end: desktop-originated worker events visible in iOS stream")
  func desktopEvents() async throws {
    try await LoopbackRuntime.run { runtime in
      let desktop = try await runtime.client(of: "ana@example.com")
      let phone = try await runtime.client(of: "ana@example.com")
      let start = try await ScriptedDevice(client: desktop).register()
      let reported: [JSONObject] = ["turn/started", "item/agentMessage/delta", "turn/completed"].map {
        [
          "source": "autopilot-desktop", "method": .string($0),
          "params": ["threadId": "t", "at": "2026-02-20T00:00:00Z"],
        ]
      }
      let telling = Task {
        for payload in reported { _ = try await desktop.store(WorkerEventDraft(payload: payload), in: worker) }
      }
      var seen: [JSONObject] = []
      try await phone.watch(worker, after: start) { update in
        if case .event(let event) = update, event.type == "worker.event" { seen.append(event.payload) }
        return seen.count < reported.count ? .taken : .enough
      }
      try await telling.value
      #expect(seen == reported)
    }
  }

  @Test("End-to-end: correlation IDs traceable across Laravel/runtime logs")
  func correlation() async throws {
    try await LoopbackRuntime.run { runtime in
      let client = try await runtime.client(of: "ana@example.com")
      try await ScriptedDevice(client: client).register()
      _ = try await client.list()
      _ = try? await client.snapshot(of: "nobody")
      let sent = runtime.clientLog.lines.compactMap { $0.metadata["x-request-id"] }
      #expect(sent.count == 4 && Set(sent).count == 4)
      // Each once.
      #expect(runtime.outcomes.map(\.id) == sent)
      #expect(runtime.outcomes.map(\.status) == ["202", "202", "200", "404"])
    }
  }

  @Test("Handshake: iOS receives the ack on stream and marks the desktop session as connected")
  func handshake() async throws {
    try await LoopbackRuntime.run { runtime in
      let desktop = try await runtime.client(of: "ana@example.com")
      let phone = try await runtime.client(of: "ana@example.com")
      try await ScriptedDevice.run(desktop) {
        // Discovered, and not known beforehand.
        let found = try #require(try await phone.list().first { $0.adapter == "desktop_bridge" })
        var handshake = WorkerHandshake(id: LetterID.make("hs-"), deviceID: "phone")
        handshake.willSend(at: .zero)
        _ = try await phone.store(handshake.draft(at: "2026-02-20T00:00:00Z"), in: found.id)
        try await phone.watch(found.id, after: found.latestSequence - 1) { update in
          guard case .event(let event) = update else { return .taken }
          handshake.take(event)
          if case .connected = handshake.state { return .enough }
          return .taken
        }
        #expect(handshake.state == .connected(sessionID: "session-a", isLate: false))
      }
    }
  }
}
