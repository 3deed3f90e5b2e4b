import HTTPTypes
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// What becomes of a race's winner later.
@Suite(.timeLimit(.minutes(1))) struct RacingReturnTests {
  let clock = ManualClock()

  private func race(
    _ first: ScriptedTransport, _ second: ScriptedTransport, memory: OriginStore = OriginStore()
  ) -> RacingTransport {
    RacingTransport(
      first: first, second: second, memory: memory, network: { "test" }, clock: TransportClock(clock), logger: .quiet)
  }

  @Test func HTTP3IsTriedAgainAndTakesOverWhatIsOpen() async throws {
    let first = ScriptedTransport.racer(.http3) { if $0 == 1 { throw TransportError(.tls, "Not yet.") } }
    let second = ScriptedTransport.racer(.http1)
    let race = race(first, second)
    let info = try await race.connect()
    #expect(info.transport == .http1)
    let improved = Task { try await race.improvement(over: info) }
    await clock.waitForSleep(of: .seconds(30))
    clock.advance(by: .seconds(30))
    try await improved.value
    let now = try await race.connect()
    #expect(now.transport == .http3)
    #expect(now.reason == "HTTP/3 connected after 23 ms, in place of HTTP/1.1")
    _ = try await race.send(HTTPRequest(path: "/"))
    #expect(first.requests.count == 1 && second.requests.isEmpty)
    // Who asks late is told at once; for what runs on HTTP/3 there is nothing better.
    try await race.improvement(over: info)
    #expect(second.closeCount == 0, "what runs on HTTP/1.1 goes on")
  }

  @Test func eachFurtherTryIsTwiceAsFarOff() async throws {
    let first = ScriptedTransport.racer(.http3) { if $0 < 4 { throw TransportError(.tls, "Not yet.") } }
    let race = race(first, ScriptedTransport.racer(.http1))
    let info = try await race.connect()
    let improved = Task { try await race.improvement(over: info) }
    for wait in [30, 60, 120] {
      await clock.waitForSleep(of: .seconds(wait))
      clock.advance(by: .seconds(wait))
    }
    try await improved.value
    #expect(first.connectCount == 4)
  }

  @Test func aMarkThatUDPIsBrokenIsWaitedFor() async throws {
    let memory = OriginStore(file: nil, now: { 1_000 })
    let first = ScriptedTransport.racer(.http3) { if $0 == 1 { throw TransportError(.connectTimeout, "Silence.") } }
    let race = race(first, ScriptedTransport.racer(.http1), memory: memory)
    _ = try await race.connect()
    await clock.waitForSleep(of: .seconds(300))
    #expect(first.connectCount == 1)
  }

  @Test func aPathThatFallsSilentIsLeftForTheSecond() async throws {
    let first = ScriptedTransport.racer(.http3) {
      guard $0 > 1 else { return }
      try await waitForCancellation()
    }
    let (connects, connected) = AsyncStream.makeStream(of: Void.self)
    let second = ScriptedTransport.racer(.http1) { _ in connected.yield() }
    let race = race(first, second)
    #expect(try await race.connect().transport == .http3)
    first.fallSilent()
    // Learnt from the first race, whose 23 ms give the shortest head start.
    await clock.waitForSleep(of: .milliseconds(100))
    #expect(second.connectCount == 0)
    clock.advance(by: .milliseconds(100))
    for await _ in connects { break }
    #expect(try await race.connect().transport == .http1)
    while first.leftFor.isEmpty { await Task.yield() }
    #expect(first.leftFor == ["HTTP/1.1"])
    _ = try await race.send(HTTPRequest(path: "/"))
    #expect(second.requests.count == 1)
  }

  @Test func aPathThatAnswersInTimeIsKept() async throws {
    let first = ScriptedTransport.racer(.http3)
    let second = ScriptedTransport.racer(.http1)
    let race = race(first, second)
    #expect(try await race.connect().transport == .http3)
    first.fallSilent()
    #expect(try await race.connect().transport == .http3)
    #expect(second.connectCount == 0)
    #expect(first.leftFor.isEmpty)
  }

  @Test func anotherRaceFollowsOneInWhichNothingPassed() async throws {
    let first = ScriptedTransport.racer(.http3) { if $0 > 1 { throw TransportError(.unreachable, "No way.") } }
    let second = ScriptedTransport.racer(.http1) { if $0 == 1 { throw TransportError(.unreachable, "No way.") } }
    let race = race(first, second)
    #expect(try await race.connect().transport == .http3)
    first.fallSilent()
    // Nobody asks for a connection meanwhile.
    await clock.waitForSleep(of: .seconds(1))
    #expect(second.connectCount == 1)
    clock.advance(by: .seconds(1))
    while first.leftFor.isEmpty { await Task.yield() }
    #expect(try await race.connect().transport == .http1)
  }

  @Test func bothAreToldWhatIsAwaited() {
    let (first, second) = (ScriptedTransport.racer(.http3), ScriptedTransport.racer(.http1))
    let race = race(first, second)
    race.setAttentive(true)
    #expect(first.attention == [true] && second.attention == [true])
  }
}
