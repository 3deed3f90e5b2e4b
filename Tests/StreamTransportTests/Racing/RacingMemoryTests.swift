import Glibc
import HTTP3Engine
import HTTPTypes
import StreamTransport
import Synchronization
import TestSupport
import Testing
import TransportPolicy

/// A race's memory for the next one. Time is virtual, the network's name and the date are the test's.
@Suite(.timeLimit(.minutes(10))) struct RacingMemoryTests {
  private static let origin = Origin(scheme: .https, host: "script.test", port: 443)
  private let clock = ManualClock()
  private let network = Variable("home")
  private let date = Variable(1_767_225_600)
  private let memory: OriginStore

  init() {
    memory = OriginStore(file: nil, now: { [date] in date.value })
  }

  /// A value that a test changes while others read it.
  private final class Variable<Value: Sendable>: Sendable {
    private let state: Mutex<Value>
    var value: Value {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }
    init(_ value: Value) { state = Mutex(value) }
  }

  private func race(
    _ first: ScriptedTransport, _ second: ScriptedTransport, exclusion: String? = nil
  ) -> RacingTransport {
    RacingTransport(
      first: first, second: second, exclusion: exclusion, memory: memory, network: { [network] in network.value },
      clock: TransportClock(clock), logger: .quiet)
  }

  private func plan() -> RacePlan {
    memory.read { memory, now in
      memory.plan(for: "https://script.test", on: network.value, headStart: .milliseconds(250), now: now)
    }
  }

  private var isMarked: Bool {
    if case .firstHeldBack = plan() { true } else { false }
  }

  /// Runs a race that the second wins while the first is silent, to the end of the head start.
  private func loseToTCP(_ race: RacingTransport) async throws {
    async let connecting = race.connect()
    await clock.waitForSleep(of: .milliseconds(250))
    clock.advance(by: .milliseconds(250))
    #expect(try await connecting.transport == .http1)
  }

  /// Waits until the transport's reason is another than `old`.
  private func newReason(_ race: RacingTransport, after old: String?) async -> String? {
    while let reason = await race.snapshot()?.connection.reason, reason == old { await Task.yield() }
    return await race.snapshot()?.connection.reason
  }

  // MARK: Head start

  @Test func theHeadStartIsLearnt() async throws {
    let first = ScriptedTransport.racer(.http3, handshake: .milliseconds(70)) {
      if $0 > 1 { try await waitForCancellation() }
    }
    let race = race(first, ScriptedTransport.racer(.http1))
    #expect(try await race.connect().transport == .http3)
    first.loseConnection()
    async let connecting = race.connect()
    // 70 ms and twice the half of them.
    await clock.waitForSleep(of: .milliseconds(140))
    clock.advance(by: .milliseconds(140))
    #expect(try await connecting.transport == .http1)
    await race.close()
  }

  @Test func transportsShareAMemory() async throws {
    _ = try await race(ScriptedTransport.racer(.http3, handshake: .milliseconds(110)), ScriptedTransport.racer(.http1))
      .connect()
    #expect(plan() == .headStart(.milliseconds(220)))
    network.value = "cafe"
    #expect(plan() == .headStart(.milliseconds(250)))
  }

  // MARK: Silence

  @Test func silenceIsRememberedAndReported() async throws {
    let first = ScriptedTransport.racer(.http3) { _ in try await waitForCancellation() }
    let second = ScriptedTransport.racer(.http1)
    let race = race(first, second)
    try await loseToTCP(race)
    #expect(!isMarked, "being slower says nothing")
    await clock.waitForSleep(of: .seconds(3))
    clock.advance(by: .seconds(3))
    let reason = await newReason(race, after: "HTTP/1.1 connected after 23 ms, before HTTP/3")
    #expect(reason == "HTTP/3 failed: No answer over UDP within 3 s. HTTP/1.1 connected after 23 ms")
    #expect(isMarked)

    second.loseConnection()
    date.value += 60
    let again = try await race.connect()
    #expect(
      again.reason
        == "HTTP/3 was not tried: UDP failed on this network 60 s ago, the next try is in 4 min. HTTP/1.1 connected after 23 ms"
    )
    #expect(first.connectCount == 1)

    // Another network, and this one when the mark is over.
    network.value = "cafe"
    second.loseConnection()
    try await loseToTCP(race)
    await until { first.connectCount >= 2 }
    network.value = "home"
    second.loseConnection()
    date.value += 240
    try await loseToTCP(race)
    await until { first.connectCount >= 3 }
    await race.close()
  }

  @Test func aFirstThatConnectsLateIsLearntFromAndClosed() async throws {
    let gate = Gate()
    let first = ScriptedTransport.racer(.http3) { _ in await gate.wait() }
    let race = race(first, ScriptedTransport.racer(.http1))
    try await loseToTCP(race)
    await clock.waitForSleep(of: .seconds(3))
    clock.advance(by: .milliseconds(150))
    gate.open()
    // 400 ms after it began; the mean and two deviations are more than the most there is.
    await until { plan() != .headStart(.milliseconds(250)) }
    #expect(plan() == .headStart(.milliseconds(400)))
    await until { first.retireCount != 0 }
    #expect(first.closeCount == 0, "what runs on an older connection continues")
    #expect(await race.snapshot()?.connection.transport == .http1)
    await race.close()
  }

  @Test func aNewRaceDoesNotWaitForAnUnfinishedOne() async throws {
    let first = ScriptedTransport.racer(.http3) { if $0 == 1 { try await waitForCancellation() } }
    let second = ScriptedTransport.racer(.http1)
    let race = race(first, second)
    try await loseToTCP(race)
    second.loseConnection()
    #expect(try await race.connect().transport == .http3)
    #expect(first.connectCount == 2 && first.retireCount == 1)
    #expect(!isMarked)
    await race.close()
  }

  @Test func closingEndsAnUnfinishedFirstAndLearnsNothing() async throws {
    let first = ScriptedTransport.racer(.http3) { number in if number == 1 { try await waitForCancellation() } }
    let race = race(first, ScriptedTransport.racer(.http1))
    try await loseToTCP(race)
    await race.close()
    #expect(try await race.connect().transport == .http3)
    clock.advance(by: .seconds(10))
    #expect(plan() == .headStart(.milliseconds(100)), "no mark, and a handshake of 23 ms")
    await race.close()
  }

  // MARK: Failures

  @Test(arguments: [
    (TransportError(.connectionRefused, "x"), true), (TransportError(.unreachable, "x"), true),
    (TransportError(.connectTimeout, "x"), true),
    // A server that says so is there.
    (TransportError(.connectionRefused, "x", wireCode: "CONNECTION_REFUSED"), false),
    (TransportError(.certificateRejected, "x"), false), (TransportError(.tls, "x"), false),
    (TransportError(.protocolViolation, "x"), false), (TransportError(.connectionLost, "x"), false),
    (TransportError(.cancelled, "x"), false), (TransportError(.nameNotFound, "x"), false),
    // Name servers, and what this machine lacks.
    (TransportError(.unreachable, "x", cause: NameResolver.Failure()), false),
    (TransportError(.connectTimeout, "x", cause: NameResolver.Failure()), false),
    (TransportError(SystemError("socket", number: EMFILE), sendingTo: .loopback(port: 1)), false),
    (TransportError(SystemError("connect", number: ENETUNREACH), sendingTo: .loopback(port: 1)), true),
  ])
  func onlyWhatSpeaksOfThePathMarksIt(error: TransportError, isMarked: Bool) async throws {
    let race = race(ScriptedTransport.racer(.http3) { _ in throw error }, ScriptedTransport.racer(.http1))
    #expect(try await race.connect().transport == .http1)
    #expect(self.isMarked == isMarked, "\(error.code)")
  }

  @Test func withoutTCPNothingFollowsForUDP() async throws {
    let first = ScriptedTransport.racer(.http3) { _ in throw TransportError(.unreachable, "No network.") }
    let second = ScriptedTransport.racer(.http1) { _ in throw TransportError(.unreachable, "No network.") }
    await #expect(throws: TransportError.self) { try await race(first, second).connect() }
    #expect(!isMarked)
  }

  @Test func whereTCPFailsTheMarkIsPutToTheTest() async throws {
    memory.update { memory, now in memory.udpFailed(to: "https://script.test", on: "home", now: now) }
    let second = ScriptedTransport.racer(.http1) { _ in throw TransportError(.connectionRefused, "Refused.") }
    let info = try await race(ScriptedTransport.racer(.http3), second).connect()
    #expect(info.reason == "HTTP/1.1 failed: Refused. HTTP/3 connected after 23 ms")
    #expect(!isMarked)
  }

  // MARK: Proxies and alternatives

  @Test func whatIsExcludedIsNeverTried() async throws {
    let first = ScriptedTransport.racer(.http3)
    let race = race(first, ScriptedTransport.racer(.http1), exclusion: "a proxy.")
    #expect(try await race.connect().reason == "HTTP/3 was not tried: a proxy. HTTP/1.1 connected after 23 ms")
    let failing = self.race(
      first, ScriptedTransport.racer(.http1) { _ in throw TransportError(.connectionRefused, "Refused.") },
      exclusion: "a proxy.")
    let error = await #expect(throws: TransportError.self) { try await failing.connect() }
    #expect(error?.message == "No connection to script.test. HTTP/3: not tried, a proxy. HTTP/1.1: Refused.")
    #expect(first.connectCount == 0)
  }

  /// The effect of `alt-svc` in an answer over TCP on the next race.
  @Test(
    arguments: [
      (#"h3=":8443""#, AlternativeService(host: nil, port: 8_443)),
      (#"h3="alt.test:444"; ma=60"#, AlternativeService(host: "alt.test", port: 444)),
      (#"h3="localhost:444""#, nil), (#"h3="127.0.0.1:22""#, nil), (#"h3="[::1]:22""#, nil), ("clear", nil),
      ("\u{1}", nil),
    ] as [(String, AlternativeService?)])
  func theNextRaceGoesWhereTheOriginSays(field: String, alternative: AlternativeService?) async throws {
    let first = ScriptedTransport.racer(.http3) { if $0 == 1 { throw TransportError(.protocolViolation, "x") } }
    let second = ScriptedTransport.racer(.http1, altSvc: field)
    let race = race(first, second)
    _ = try await race.send(HTTPRequest(path: "/"))
    #expect(first.alternative == nil)
    second.loseConnection()
    #expect(try await race.connect().transport == .http3)
    #expect(first.alternative == alternative)
  }

  @Test func anOriginThatDoesNotProveItselfIsNotFollowed() async throws {
    let plain = Origin(scheme: .http, host: "script.test", port: 80)
    let second = ScriptedTransport.racer(.http1, origin: plain, altSvc: #"h3=":8443""#)
    let first = ScriptedTransport.racer(.http3, origin: plain) { _ in
      throw TransportError(.invalidRequest, "https only")
    }
    _ = try await race(first, second).send(HTTPRequest(path: "/"))
    #expect(memory.read { memory, now in memory.alternative(for: plain.description, on: "home", now: now) } == nil)
  }

  /// Its failure is its own: HTTP/3 is tried at the origin itself after the usual pause, not when the mark is over.
  @Test(arguments: [TransportError.Code.connectTimeout, .nameNotFound, .certificateRejected])
  func aDeadAlternativeLeavesTheOriginItsHTTP3(code: TransportError.Code) async throws {
    memory.update { memory, now in
      memory.learn(AltSvc(#"h3="alt.test:444""#), from: "https://script.test", on: "home", now: now)
    }
    let first = ScriptedTransport.racer(.http3) { if $0 == 1 { throw TransportError(code, "Dead.") } }
    let race = race(first, ScriptedTransport.racer(.http1))
    let info = try await race.connect()
    #expect(info.transport == .http1)
    #expect(first.alternative?.port == 444)
    #expect(!isMarked)
    let improved = Task { try await race.improvement(over: info) }
    await clock.waitForSleep(of: .seconds(30))
    clock.advance(by: .seconds(30))
    try await improved.value
    #expect(first.connectCount == 2)
    #expect(first.alternative == nil)
    await race.close()
  }

  /// Nothing is known of an alternative whose name nobody could look up.
  @Test func silenceOfNameServersMarksNoAlternative() async throws {
    memory.update { memory, now in
      memory.learn(AltSvc(#"h3="alt.test:444""#), from: "https://script.test", on: "home", now: now)
    }
    let first = ScriptedTransport.racer(.http3) { _ in
      throw TransportError(.unreachable, "x", cause: NameResolver.Failure())
    }
    _ = try await race(first, ScriptedTransport.racer(.http1)).connect()
    #expect(
      memory.read { memory, now in memory.alternative(for: "https://script.test", on: "home", now: now)?.port } == 444)
  }
}
