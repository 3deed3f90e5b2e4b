import EventLedger
import GRDB
import HTTPTypes
import ResolveKitCore
import Synchronization
import TestSupport
import Testing

@testable import WorkerRuntime

/// A hosted worker while the ledger is away, and after restarts of its runtime.
@Suite(.timeLimit(.minutes(5)))
struct HostedOutageTests {
  private static let worker = "w-local"

  /// A runtime that hosts `codex`, and a worker that runs.
  private func start(
    _ codex: ScriptedCodex, _ ledger: (any EventLedger)? = nil, log: LogBook = LogBook(),
    time: SetTimeOfDay = SetTimeOfDay(),
    requestTimeout: Duration = .seconds(30)
  ) async throws -> (runtime: RuntimeUnderTest, token: String) {
    var settings = RuntimeSettings()
    settings.requestTimeout = requestTimeout
    let runtime = try RuntimeUnderTest(
      ledger, settings: settings, time: time, hosting: LaneHosting(limit: 1) { _ in (codex, "/w") },
      logger: log.logger("runtime"))
    let token = try await runtime.token()
    codex.report(.started(version: "1"))
    try await runtime.makeWorker(Self.worker, token: token, adapter: "local", heartbeat: false)
    try await until { try await snapshot(runtime, token).at("heartbeat_state") == "fresh" }
    return (runtime, token)
  }

  private func snapshot(_ runtime: RuntimeUnderTest, _ token: String, _ id: String = worker) async throws -> JSONValue {
    try await runtime.call(.get, id, token: token).json.at("data")
  }

  private func events(_ ledger: any EventLedger) async throws -> [LedgerEvent] {
    var events: [LedgerEvent] = []
    while true {
      let page = try await ledger.events(of: "events/\(Self.worker)", after: Int64(events.count), limit: 1_000)
      guard !page.isEmpty else { return events }
      events += page
    }
  }

  private func report(_ codex: ScriptedCodex, _ range: ClosedRange<Int>) {
    for number in range {
      codex.report(
        .notified(method: "item/agentMessage/delta", params: ["threadId": "t", "n": .number(Double(number))]))
    }
  }

  private func numbers(_ events: [LedgerEvent]) -> [Int] {
    events.compactMap { $0.members["params"]?.objectValue?["n"]?.integerValue }
  }

  /// Moves the time until something is so: each wait of an outage has its own length.
  private func pass(_ runtime: RuntimeUnderTest, until isSo: () async throws -> Bool) async throws {
    try await until {
      runtime.clock.advance(by: .seconds(8))
      return try await isSo()
    }
  }

  /// With a request whose time is over before the ledger is back, either end may come first; it is the only one.
  @Test(arguments: AwayLedger.Loss.allCases, [Duration.seconds(30), .seconds(1_000_000)])
  func whatHappensWhileTheLedgerIsAwayIsStoredOnceAndInOrder(_ loss: AwayLedger.Loss, _ limit: Duration) async throws {
    let time = SetTimeOfDay()
    let base = try SQLiteEventLedger(DatabaseQueue(), now: { time.now })
    let ledger = AwayLedger(base, loss: loss)
    let log = LogBook()
    let (asked, mayAnswer) = (Gate(), Gate())
    let codex = ScriptedCodex { method in
      guard method == "thread/read" else { return ["data": []] }
      asked.open()
      await mayAnswer.wait()
      return ["thread": ["id": "t", "cwd": "/w"]]
    }
    let (runtime, token) = try await start(codex, ledger, log: log, time: time, requestTimeout: limit)
    // The client's own wait may end with the outage; the request's one receipt does not depend on it.
    let request = Task {
      _ = try? await runtime.call(
        .post, "\(Self.worker)/requests", #"{"request":{"request_id":"r","method":"thread/read","thread_id":"t"}}"#,
        token: token)
    }
    await asked.wait()
    report(codex, 1...3)
    try await until { numbers(try await events(base)) == [1, 2, 3] }
    ledger.set(isAway: true)
    report(codex, 4...6)
    mayAnswer.open()
    // Longer than a single write is tried.
    try await pass(runtime) { log.lines.contains { $0.message.hasPrefix("codex's notifications wait") } }
    report(codex, 7...9)
    ledger.set(isAway: false)
    try await pass(runtime) { numbers(try await events(base)).last == 9 }
    let ends = [EventType.response, EventType.error]
    try await pass(runtime) { try await events(base).contains { ends.contains($0.type) } }
    let stored = try await events(base)
    #expect(numbers(stored) == Array(1...9))
    let receipts = stored.filter { ends.contains($0.type) }
    #expect(receipts.count == 1)
    if limit > .seconds(30) { #expect(receipts.first?.type == EventType.response) }
    #expect(!stored.contains { $0.members["method"] == "runtime/events_lost" })
    #expect(log.lines.count { $0.message.hasPrefix("codex's notifications wait until the ledger takes them") } == 1)
    #expect(log.lines.contains { $0.message == "the ledger takes codex's notifications again" })
    // The lane has outlived it.
    let again = Task {
      try await runtime.call(
        .post, "\(Self.worker)/requests", #"{"request":{"request_id":"r-2","method":"thread/list"}}"#, token: token)
    }
    try await pass(runtime) {
      try await events(base).contains { ends.contains($0.type) && $0.members["request_id"] == "r-2" }
    }
    let answer = try await again.value
    if limit > .seconds(30) { #expect(answer.json.at("data", "ok") == true) }
    request.cancel()
    await runtime.core.endHosted()
  }

  @Test func whatIsTooMuchIsLeftOutAndSaidInTheLogTheEventsAndTheWorkersState() async throws {
    let time = SetTimeOfDay()
    let base = try SQLiteEventLedger(DatabaseQueue(), now: { time.now })
    let ledger = AwayLedger(base)
    let log = LogBook()
    let codex = ScriptedCodex { _ in [:] }
    let (runtime, token) = try await start(codex, ledger, log: log, time: time)
    ledger.set(isAway: true)
    report(codex, 0...0)
    try await pass(runtime) { log.lines.contains { $0.message.hasPrefix("codex's notifications wait") } }
    report(codex, 1...HostedQueue.maximumEvents + 499)
    try await pass(runtime) { log.lines.contains { $0.message.hasPrefix("the ledger is away for too long") } }
    // Told last, so that all of it was taken or left out.
    codex.report(.ended(reason: "killed"))
    let before = ledger.refused
    try await pass(runtime) { ledger.refused > before + 40 }
    ledger.set(isAway: false)
    try await pass(runtime) { try await snapshot(runtime, token).at("backend", "lost_events") != .null }
    try await pass(runtime) { try await events(base).contains { $0.members["method"] == "runtime/events_lost" } }
    let stored = try await events(base)
    let kept = numbers(stored)
    let lost = stored.compactMap { $0.members["count"]?.integerValue }
    #expect(kept == Array(0..<kept.count) && lost.reduce(0, +) == HostedQueue.maximumEvents + 500 - kept.count)
    #expect(kept.count >= HostedQueue.maximumEvents)
    #expect(stored.last?.members["method"] == "runtime/events_lost")
    let backend = try await snapshot(runtime, token).at("backend")
    #expect(backend.at("lost_events") == .number(Double(lost.reduce(0, +))))
    #expect(backend.at("health") == "restarting")
    await runtime.core.endHosted()
  }

  @Test func aRestartedRuntimeHostsItsWorkersAgain() async throws {
    let first = ScriptedCodex { _ in [:] }
    let time = SetTimeOfDay()
    let (runtime, token) = try await start(first, time: time)
    await runtime.core.endHosted()
    #expect(try await snapshot(runtime, token).at("backend", "health") == "stopped")
    #expect(try await snapshot(runtime, token).at("status") == "running")
    let second = ScriptedCodex { _ in ["data": []] }
    let next = try RuntimeUnderTest(runtime.ledger, time: time, hosting: LaneHosting(limit: 1) { _ in (second, "/w") })
    second.report(.started(version: "2"))
    await next.core.resumeHosted()
    try await until { try await snapshot(next, token).at("backend", "version") == "2" }
    let answer = try await next.call(
      .post, "\(Self.worker)/requests", #"{"request":{"request_id":"r","method":"thread/list"}}"#, token: token)
    #expect(answer.json.at("data", "ok") == true && second.asked.count == 1)
    await next.core.endHosted()
  }

  /// A runtime that was killed has not released its lane.
  @Test func aWorkerOfAKilledRuntimeIsHostedAgainOnceItsLeaseIsOver() async throws {
    let first = ScriptedCodex { _ in [:] }
    let time = SetTimeOfDay()
    let (runtime, token) = try await start(first, time: time)
    let second = ScriptedCodex { _ in [:] }
    let next = try RuntimeUnderTest(runtime.ledger, time: time, hosting: LaneHosting(limit: 1) { _ in (second, "/w") })
    second.report(.started(version: "2"))
    await next.core.resumeHosted()
    await next.clock.waitForSleep(of: .seconds(5))
    #expect(try await snapshot(next, token).at("backend", "version") == "1")
    time.advance(by: .seconds(16))
    next.clock.advance(by: .seconds(5))
    try await until { try await snapshot(next, token).at("backend", "version") == "2" }
    // The first one, were it alive, learns of it and ends its codex.
    runtime.clock.advance(by: .seconds(5))
    await runtime.clock.waitForSleep(of: .seconds(5))
    await next.core.endHosted()
    await runtime.core.endHosted()
  }

  @Test func aWorkerWithoutAPlaceFailsWhereItIsAskedForAndWaitsAfterARestart() async throws {
    let codex = ScriptedCodex { _ in [:] }
    let time = SetTimeOfDay()
    let (runtime, token) = try await start(codex, time: time)
    try await runtime.makeWorker("w-second", token: token, adapter: "local", heartbeat: false)
    try await until { try await snapshot(runtime, token, "w-second").at("status") == "failed" }
    #expect(
      try await snapshot(runtime, token, "w-second").at("backend", "reason")
        == "this runtime hosts 1 workers, which is the most; stop one")
    await runtime.core.endHosted()
    // Both live, and one place: as where a runtime was started again with a smaller limit.
    let both = try RuntimeUnderTest(
      runtime.ledger, time: time, hosting: LaneHosting(limit: 2) { _ in (ScriptedCodex { _ in [:] }, "/w") })
    try await both.makeWorker("w-second", token: token, adapter: "local", heartbeat: false)
    await both.core.resumeHosted()
    try await until { try await snapshot(both, token, "w-second").at("backend", "health") == "starting" }
    try await until { try await snapshot(both, token).at("backend", "health") == "starting" }
    await both.core.endHosted()
    let one = try RuntimeUnderTest(
      runtime.ledger, time: time, hosting: LaneHosting(limit: 1) { _ in (ScriptedCodex { _ in [:] }, "/w") })
    await one.core.resumeHosted()
    await one.clock.waitForSleep(of: .seconds(5))
    try await until {
      let health = [
        try await snapshot(one, token).at("backend", "health"),
        try await snapshot(one, token, "w-second").at("backend", "health"),
      ]
      return Set(health) == ["starting", "stopped"]
    }
    let isFirst = try await snapshot(one, token).at("backend", "health") == "starting"
    let (hosted, waiting) = isFirst ? (Self.worker, "w-second") : ("w-second", Self.worker)
    #expect(try await one.call(.post, "\(hosted)/stop", token: token).status == 202)
    try await pass(one) { try await snapshot(one, token, waiting).at("backend", "health") == "starting" }
    await one.core.endHosted()
  }

  @Test func aWorkerThatIsStoppedAndAskedForAtOnceIsHostedAgain() async throws {
    let runtime = try RuntimeUnderTest(
      hosting: LaneHosting(limit: 1) { _ in
        let codex = ScriptedCodex { _ in [:] }
        codex.report(.started(version: "1"))
        return (codex, "/w")
      })
    let token = try await runtime.token()
    for _ in 0..<4 {
      try await runtime.makeWorker(Self.worker, token: token, adapter: "local", heartbeat: false)
      try await pass(runtime) { try await snapshot(runtime, token).at("status") == "running" }
      #expect(try await runtime.call(.post, "\(Self.worker)/stop", token: token).status == 202)
    }
    await runtime.core.endHosted()
  }
}
