import Testing

@testable import HTTP3Engine

/// The rules of silence: when it is suspicious, when it is broken with a PING, when it ends the connection.
@Suite struct LivenessRuleTests {
  private let start = Timestamp(nanoseconds: 1_000_000_000)
  private let probe = Duration.milliseconds(100)

  private func liveness(_ change: (inout ConnectionConfiguration) -> Void = { _ in }) -> Liveness {
    var configuration = ConnectionConfiguration()
    change(&configuration)
    var liveness = Liveness(configuration, isServer: false, at: start)
    liveness.handshakeDidComplete()
    return liveness
  }

  @Test func silenceOfThreeProbeTimeoutsIsSuspicious() {
    var liveness = liveness()
    #expect(liveness.suspicionDue(probeTimeout: probe) == nil)
    liveness.didWrite(inFlight: 1_200, at: start)
    #expect(liveness.suspicionDue(probeTimeout: probe) == start + .milliseconds(300))
    #expect(liveness.suspectIfSilent(at: start + .milliseconds(299), probeTimeout: probe) == nil)
    #expect(liveness.suspectIfSilent(at: start + .milliseconds(300), probeTimeout: probe) == .suspected)
    #expect(liveness.isSuspect)
  }

  @Test func aFastPathIsGivenTwoHundredMilliseconds() {
    var liveness = liveness()
    liveness.didWrite(inFlight: 1, at: start)
    #expect(liveness.suspicionDue(probeTimeout: .milliseconds(1)) == start + .milliseconds(200))
  }

  @Test func aPathIsReportedOncePerSuspicion() {
    var liveness = liveness()
    #expect(liveness.doubt() == .suspected)
    #expect(liveness.doubt() == nil)
    liveness.didWrite(inFlight: 10, at: start)
    #expect(liveness.suspicionDue(probeTimeout: probe) == nil)
    #expect(liveness.didRead(inFlight: 0, at: start) == .answered)
    #expect(!liveness.isSuspect)
    #expect(liveness.didRead(inFlight: 0, at: start) == nil)
  }

  @Test func onlyAnAcknowledgementIsAnAnswer() {
    var liveness = liveness()
    liveness.didWrite(inFlight: 10, at: start)
    _ = liveness.doubt()
    #expect(liveness.didRead(inFlight: 10, at: start + .seconds(1)) == nil)
    #expect(liveness.isSuspect)
    #expect(liveness.didRead(inFlight: 9, at: start + .seconds(2)) == .answered)
    // What is left is counted from the answer on.
    #expect(liveness.suspicionDue(probeTimeout: probe) == start + .seconds(2) + .milliseconds(300))
  }

  @Test func whatIsWrittenLaterDoesNotPostponeTheSuspicion() {
    var liveness = liveness()
    liveness.didWrite(inFlight: 10, at: start)
    liveness.didWrite(inFlight: 20, at: start + .milliseconds(250))
    #expect(liveness.suspicionDue(probeTimeout: probe) == start + .milliseconds(300))
    liveness.restart(at: start + .milliseconds(250))
    #expect(liveness.suspicionDue(probeTimeout: probe) == start + .milliseconds(550))
  }

  @Test func nothingInFlightAwaitsNoAnswer() {
    var liveness = liveness()
    liveness.didWrite(inFlight: 10, at: start)
    liveness.didWrite(inFlight: 0, at: start)
    liveness.restart(at: start + .seconds(1))
    #expect(liveness.suspicionDue(probeTimeout: probe) == nil)
  }

  @Test func aConnectionIsAbandonedHalfAMinuteAfterTheIdleTimeout() {
    var liveness = liveness { $0.idleTimeout = .seconds(60) }
    #expect(liveness.abandonmentDue == start + .seconds(90))
    liveness.didReceive(at: start + .seconds(5))
    #expect(liveness.abandonmentDue == start + .seconds(95))
  }

  @Test func withoutAnIdleTimeoutNoneIsAbandoned() {
    #expect(liveness { $0.idleTimeout = .zero }.abandonmentDue == nil)
  }

  struct Interval: CustomTestStringConvertible {
    var keepAlive: Duration?
    var own: Duration
    var peer: Duration
    var isResponseExpected = false
    var probe = Duration.milliseconds(100)
    var expected: Duration?
    var testDescription: String { "\(String(describing: keepAlive)), \(own), \(peer), \(isResponseExpected), \(probe)" }
  }

  @Test(arguments: [
    Interval(keepAlive: nil, own: .seconds(60), peer: .seconds(60), isResponseExpected: true, expected: nil),
    Interval(keepAlive: .seconds(20), own: .seconds(60), peer: .seconds(60), expected: .seconds(20)),
    // Two fifths of the shorter idle time-out.
    Interval(keepAlive: .seconds(20), own: .seconds(60), peer: .seconds(10), expected: .seconds(4)),
    Interval(keepAlive: .seconds(20), own: .seconds(5), peer: .zero, expected: .seconds(2)),
    Interval(keepAlive: .seconds(20), own: .zero, peer: .seconds(5), expected: .seconds(2)),
    Interval(keepAlive: .seconds(20), own: .zero, peer: .zero, expected: .seconds(20)),
    Interval(keepAlive: .seconds(20), own: .seconds(60), peer: .milliseconds(1), expected: .milliseconds(100)),
    Interval(
      keepAlive: .seconds(20), own: .seconds(60), peer: .seconds(60), isResponseExpected: true, expected: .seconds(1)),
    Interval(
      keepAlive: .seconds(20), own: .seconds(60), peer: .seconds(60), isResponseExpected: true, probe: .seconds(2),
      expected: .seconds(6)),
  ])
  func theKeepAliveFitsTheIdleTimeoutAndTheAttention(_ row: Interval) {
    var liveness = liveness {
      $0.keepAlive = row.keepAlive
      $0.idleTimeout = row.own
    }
    let changes = [true, false].map { _ in liveness.setResponseExpected(row.isResponseExpected) }
    #expect(changes == [row.isResponseExpected, false])
    #expect(liveness.keepAliveInterval(peerIdleTimeout: row.peer, probeTimeout: row.probe) == row.expected)
  }

  @Test(arguments: [true, false])
  func onlyAClientSuspectsAndOnlyAfterTheHandshake(_ isServer: Bool) {
    var liveness = Liveness(ConnectionConfiguration(), isServer: isServer, at: start)
    if isServer { liveness.handshakeDidComplete() }
    liveness.didWrite(inFlight: 10, at: start)
    liveness.probe(at: start)
    #expect(liveness.suspicionDue(probeTimeout: probe) == nil)
    #expect(liveness.doubt() == nil && !liveness.isSuspect && !liveness.isPingDue)
  }

  @Test func aProbeAsksAndCountsTheSilenceAgain() {
    var liveness = liveness()
    liveness.didWrite(inFlight: 10, at: start)
    liveness.probe(at: start + .milliseconds(250))
    #expect(liveness.isPingDue)
    #expect(liveness.suspicionDue(probeTimeout: probe) == start + .milliseconds(550))
  }

  @Test func aPingThatIsDueIsTakenOnce() {
    var liveness = liveness()
    liveness.requestPing()
    #expect(liveness.isPingDue)
    let first = liveness.takePing()
    let second = liveness.takePing()
    #expect(first && !second)
  }
}
