import ResolveKitUI
import SessionSupport
import StreamTransport
import Synchronization
import Testing

/// A clock on which only sleeps of one length end, each when the test says so; no time passes else.
private final class RenewalClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  let now = Instant(offset: .zero)
  let minimumResolution = Duration.nanoseconds(1)
  private let lengths: Mutex<Set<Duration>>
  private let began = AsyncStream<Duration>.makeStream()
  private let ends = AsyncStream<Void>.makeStream()

  init(_ lengths: Set<Duration>) { self.lengths = Mutex(lengths) }

  /// From now on sleeps of that length end too: others may have slept as long before.
  func watch(_ length: Duration) { lengths.withLock { _ = $0.insert(length) } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    if lengths.withLock({ $0.contains(deadline.offset) }) {
      began.continuation.yield(deadline.offset)
      for await _ in ends.stream { return }
    } else {
      let (never, continuation) = AsyncStream.makeStream(of: Void.self)
      for await _ in never {}
      _ = continuation
    }
    throw CancellationError()
  }

  func sleepBegins() async -> Duration? {
    for await length in began.stream { return length }
    return nil
  }

  func endSleep() { ends.continuation.yield() }
}

@Suite(.timeLimit(.minutes(10)))
@MainActor
struct RuntimeRenewalTests {
  @Test func theTokenIsRenewedBeforeItEndsAndNothingIsSeenOfIt() async throws {
    let clock = RenewalClock([.seconds(1500)])
    let server = ContractServer(onMessage: { server, turn, request, _ in
      server.streamAnswer(turn: turn, request: request, ["ok"])
    })
    let runtime = Conversation(server: server, clock: TransportClock(clock)).runtime()
    try await runtime.start()
    #expect(await clock.sleepBegins() == .seconds(1500))
    let updates = runtime.updates()
    clock.endSleep()
    #expect(await clock.sleepBegins() == .seconds(1500), "the new token's own renewal waits")
    await runtime.sendMessage("hello")
    for await update in updates {
      if case .connection(let connection) = update { Issue.record("seen: \(connection)") }
      if case .session(let id, _) = update { Issue.record("seen: \(id)") }
      if case .turn(let turn) = update {
        #expect(turn.status == .complete)
        break
      }
    }
    #expect(server.received.filter { $0.path.hasPrefix("/v1/sessions/s1/events") }.count == 1)
    #expect(server.bodies(of: "POST /v1/sessions").map { $0.objectValue?["reuse_active_session"] } == [true, true])
    #expect(server.received.last { $0.path == "/v1/sessions/s1/messages" }?.capability == "capability-2")
    await runtime.finish()
  }

  @Test func aRenewalThatFailsWithoutAWishOfTheServersWaitsHalfAMinute() async throws {
    let clock = RenewalClock([.seconds(1500)])
    let server = ContractServer()
    let runtime = Conversation(server: server, clock: TransportClock(clock)).runtime()
    try await runtime.start()
    clock.watch(.seconds(30))
    server.answer("POST /v1/sessions", with: [(503, ""), (500, "")])
    #expect(await clock.sleepBegins() == .seconds(1500))
    for attempt in 1...2 {
      clock.endSleep()
      #expect(await clock.sleepBegins() == .seconds(30), "after failure \(attempt)")
    }
    clock.endSleep()
    #expect(await clock.sleepBegins() == .seconds(1500))
    #expect(server.bodies(of: "POST /v1/sessions").count == 4)
    await runtime.finish()
  }

  @Test func aRenewalThatFailsIsTriedAgain() async throws {
    let clock = RenewalClock([.seconds(1500), .seconds(77)])
    let server = ContractServer()
    let runtime = Conversation(server: server, clock: TransportClock(clock)).runtime()
    try await runtime.start()
    server.answer("POST /v1/sessions", with: [(503, ""), (429, "")])
    server.setRetryAfter("77")
    #expect(await clock.sleepBegins() == .seconds(1500))
    for _ in 0..<2 {
      clock.endSleep()
      #expect(await clock.sleepBegins() == .seconds(77), "the server's wish is kept")
    }
    clock.endSleep()
    #expect(await clock.sleepBegins() == .seconds(1500))
    #expect(runtime.connectionState == .active)
    await runtime.finish()
  }
}
