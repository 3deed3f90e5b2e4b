import CodexWorkersClient
import EventLedger
import ResolveKitCore
import Synchronization
import TestSupport
import Testing

@testable import CodexCompanion

/// The mirror's log, by which a person finds out why something did not happen.
@Suite(.timeLimit(.minutes(5)))
struct MirrorLogTests {
  private let mirror: MirrorUnderTest

  init() throws { mirror = try MirrorUnderTest() }

  private var messages: [String] { mirror.log.lines.map(\.message) }

  /// The lines about clocks.
  private var clocks: [String] { messages.filter { $0.contains("clock") } }

  @Test(arguments: [
    (120, "this machine's clock is 120 s ahead of the runtime's"),
    (-7, "this machine's clock is 7 s behind the runtime's"), (4, nil), (-4, nil),
  ])
  func aClockThatIsWrongIsReportedOnceWithItsRemedy(_ lead: Int64, _ expected: String?) async throws {
    let runtime = WallTime(microseconds: 1_000_000_000)
    let now = { @Sendable in runtime + .seconds(lead) }
    let clock = mirror.clock(now)
    mirror.set(runtimeTime: runtime)
    for _ in 0..<3 { try await mirror.pulse(clock, now: now).beat() }
    #expect(clocks.count == (expected == nil ? 0 : 1))
    if let expected {
      #expect(clocks.first?.hasPrefix(expected) == true)
      #expect(clocks.first?.contains("timedatectl set-ntp true") == true)
    }
  }

  @Test func aClockThatIsSetAndWrongAgainIsReportedAgain() async throws {
    let runtime = WallTime(microseconds: 1_000_000_000)
    let lead = Mutex<Int64>(60)
    let now = { @Sendable in runtime + .seconds(lead.withLock { $0 }) }
    let clock = mirror.clock(now)
    mirror.set(runtimeTime: runtime)
    for each in [60, 60, 0, 60] as [Int64] {
      lead.withLock { $0 = each }
      try await mirror.pulse(clock, now: now).beat()
    }
    #expect(clocks.count == 2)
  }

  /// A slow network is no wrong clock: a heartbeat that was a minute on its way.
  @Test func aSlowAnswerIsNoWrongClock() async throws {
    let start = WallTime(microseconds: 1_000_000_000)
    let asked = Mutex(0)
    let now = { @Sendable in
      asked.withLock { count in
        count += 1
        return count == 1 ? start : start + .seconds(60)
      }
    }
    let clock = mirror.clock(now)
    mirror.set(runtimeTime: start + .seconds(30))
    try await mirror.pulse(clock, now: now).beat()
    #expect(clocks.isEmpty)
  }

  @Test func aRequestThatCameTooLateNamesTheClockItWentBy() async throws {
    try mirror.switchOn()
    let event = MirrorUnderTest.request(
      "late\u{1B}[2J", "thread/read", ["threadId": "shown"], expiresAt: "1970-01-01T00:00:01Z")
    _ = try await mirror.inbox(try mirror.store(), now: WallTime(microseconds: 2_000_000)).deal(with: event)
    let line = try #require(mirror.log.lines.first { $0.message.hasPrefix("a request is not begun") })
    #expect(line.message.contains("by this machine's clock, as the runtime's is not known yet"))
    #expect(line.metadata["request"]?.unicodeScalars.contains("\u{1B}") == false)
  }

  @Test func performedRequestsAndHandshakesAreNamed() async throws {
    try mirror.switchOn()
    let inbox = mirror.inbox(try mirror.store())
    _ = try await inbox.deal(with: MirrorUnderTest.request("r", "thread/list"))
    let draft = HandshakeSignal.call(id: "hs-a", deviceID: "d").draft(at: "now")
    _ = try await inbox.take(
      .event(WorkerEvent(workerID: "w:1", sequence: 2, type: draft.type, payload: draft.payload, occurredAt: "t")))
    let performed = try #require(mirror.log.lines.first { $0.message == "performed a request" })
    #expect(performed.metadata["request"] == "r" && performed.metadata["end"] == "worker.response")
    #expect(mirror.log.lines.contains { $0.metadata["handshake"] == "hs-a" })
  }

  /// 413: the server never takes it, so that it is not sent again and again.
  @Test func anEventThatIsTooLargeForTheRuntimeIsLeftOutAndReported() async throws {
    try mirror.switchOn()
    try await mirror.write("shown", 2)
    mirror.refuse(413, #"{"error":{"code":"invalid_request","message":"the body has more than 1048576 bytes"}}"#)
    let store = try mirror.store()
    let outbox = mirror.outbox(store)
    await outbox.note("shown")
    let running = Task { try await outbox.run() }
    await until { await store.book.cursor(of: "shown") == 2 }
    running.cancel()
    _ = await running.result
    #expect(mirror.posts.map { $0.payload["thread_seq"] } == [2])
    #expect(messages.count { $0.hasPrefix("an event is not mirrored: ") } == 1)
  }

  @Test func aReceiptThatFitsIntoNoBodyIsAFailureOfItsOwn() async throws {
    try mirror.switchOn()
    let long = String(repeating: "x", count: 2 << 20)
    mirror.codex.on("thread/list") { _ in
      ["data": [["id": .string(long), "cwd": "/work/shown", "preview": "", "updatedAt": 1]]]
    }
    let event = MirrorUnderTest.request("r", "thread/list")
    #expect(try await mirror.inbox(try mirror.store()).deal(with: event) == .taken)
    #expect(mirror.posts.map(\.type) == ["worker.error"])
    #expect(mirror.posts.first?.payload["code"] == "internal_error")
  }
}
