import HTTPTypes
import StreamTransport
import Synchronization
import TestSupport
import Testing
import TransportPolicy

/// A race's winner over time.
@Suite(.timeLimit(.minutes(10))) struct RacingReturnTests {
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
    // A late caller gets the answer at once; for what runs on HTTP/3 there is nothing better.
    try await race.improvement(over: info)
    #expect(second.closeCount == 0, "what runs on HTTP/1.1 continues")
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

  /// A race on the network that `network` names, whose changes the test tells.
  private func race(
    _ first: ScriptedTransport, memory: OriginStore, network: @escaping @Sendable () -> String,
    changes: @escaping @Sendable () -> AsyncStream<Void>
  ) -> RacingTransport {
    RacingTransport(
      first: first, second: ScriptedTransport.racer(.http1), memory: memory, network: network,
      networkChanges: changes, clock: TransportClock(clock), logger: .quiet)
  }

  private func plan(_ memory: OriginStore, on network: String) -> RacePlan {
    memory.read { memory, now in
      memory.plan(for: "https://script.test", on: network, headStart: .milliseconds(250), now: now)
    }
  }

  /// The mark of the old network is not waited for, and what follows is learnt of the new one.
  @Test func onAnotherNetworkHTTP3IsTriedAtOnce() async throws {
    let memory = OriginStore(file: nil, now: { 1_000 })
    let network = Mutex("cafe")
    let (changes, tell) = AsyncStream.makeStream(of: Void.self)
    let first = ScriptedTransport.racer(.http3) { if $0 == 1 { throw TransportError(.connectTimeout, "Silence.") } }
    let race = race(first, memory: memory, network: { network.withLock { $0 } }, changes: { changes })
    let info = try await race.connect()
    let improved = Task { try await race.improvement(over: info) }
    await clock.waitForSleep(of: .seconds(300))
    tell.yield()
    network.withLock { $0 = "home" }
    tell.yield()
    try await improved.value
    #expect(first.connectCount == 2 && clock.now.offset == .zero)
    #expect(plan(memory, on: "home") == .headStart(.milliseconds(100)))
    #expect(plan(memory, on: "cafe") != .headStart(.milliseconds(250)))
  }

  /// The attempt of the race itself may still run then; it is the old network's.
  @Test func onAnotherNetworkHTTP3IsTriedWhenTheRacesOwnAttemptIsOver() async throws {
    let network = Mutex("cafe")
    let (changes, tell) = AsyncStream.makeStream(of: Void.self)
    let first = ScriptedTransport.racer(.http3) { if $0 == 1 { try await waitForCancellation() } }
    let race = race(first, memory: OriginStore(), network: { network.withLock { $0 } }, changes: { changes })
    let connecting = Task { try await race.connect() }
    await clock.waitForSleep(of: .milliseconds(250))
    clock.advance(by: .milliseconds(250))
    let info = try await connecting.value
    #expect(info.transport == .http1)
    let improved = Task { try await race.improvement(over: info) }
    await clock.waitForSleep(of: .seconds(30))
    network.withLock { $0 = "home" }
    tell.yield()
    Task { [clock] in
      while first.connectCount < 2 {
        await clock.waitForSleep(of: .seconds(1))
        clock.advance(by: .seconds(1))
      }
    }
    try await improved.value
    #expect(first.connectCount == 2)
    #expect(clock.now.offset < .seconds(30))
  }

  /// The connection over TCP is the old network's, so it does not show that the new one carries anything at all.
  @Test func aFailureOnAnotherNetworkSaysNothingOfUDP() async throws {
    let memory = OriginStore(file: nil, now: { 1_000 })
    let network = Mutex("cafe")
    let (changes, tell) = AsyncStream.makeStream(of: Void.self)
    let count = Atomic<Int>(0)
    let first = ScriptedTransport.racer(.http3) { _ in throw TransportError(.connectTimeout, "Silence.") }
    let race = race(first, memory: memory, network: { network.withLock { $0 } }) {
      count.add(1, ordering: .relaxed).oldValue == 0 ? changes : AsyncStream.makeStream(of: Void.self).stream
    }
    _ = try await race.connect()
    await clock.waitForSleep(of: .seconds(300))
    network.withLock { $0 = "home" }
    tell.yield()
    await clock.waitForSleep(of: .seconds(60))
    #expect(first.connectCount == 2)
    #expect(plan(memory, on: "home") == .headStart(.milliseconds(250)))
    await race.close()
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
    await until { !first.leftFor.isEmpty }
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
    await until { !first.leftFor.isEmpty }
    #expect(try await race.connect().transport == .http1)
  }

  @Test func bothLearnWhatIsAwaited() {
    let (first, second) = (ScriptedTransport.racer(.http3), ScriptedTransport.racer(.http1))
    let race = race(first, second)
    race.setResponseExpected(true)
    #expect(first.expectations == [true] && second.expectations == [true])
  }
}
