import Testing

@testable import ResolveKitCore

/// The machine's reactions to a status, beyond trying again.
struct TurnStatusTests {
  private func busy(_ seconds: Int) -> RequestFailure {
    RequestFailure(status: 429, message: "slow down", retryAfterSeconds: seconds)
  }

  @Test(arguments: [(0, 1), (1, 1), (9, 9)])
  func aMessageWaitsAsLongAsTheServerAsks(seconds: Int, wait: Int) {
    var machine = TurnMachine.open()
    _ = machine.handle(.sendRequested(OutgoingMessage(requestID: "r", text: "hi"), at: 0))
    let actions = machine.handle(.messageFailed(requestID: "r", busy(seconds), at: 0))
    #expect(
      actions.contains(
        .scheduleDeadline(.messageRetry(requestID: "r"), at: MonotonicNanoseconds(0).advanced(bySeconds: wait))))
  }

  @Test func aSessionAndAStreamWaitAsWell() {
    var machine = TurnMachine.open()
    #expect(
      machine.handle(.streamRefused(generation: 1, busy(40)))
        .contains(.retryAfterBackoff(.openStream, attempt: 1, atLeast: 40)))
    var other = TurnMachine.open()
    _ = other.handle(.streamRefused(generation: 1, RequestFailure(status: 410, message: "gone")))
    #expect(
      other.handle(.sessionFailed(busy(50))).contains(.retryAfterBackoff(.createSession, attempt: 1, atLeast: 50)))
  }

  @Test func anSDKThatIsTooOldIsBlockedWhereverItIsReported() {
    let old = RequestFailure(status: 426, message: "old")
    var sending = TurnMachine.open()
    _ = sending.handle(.sendRequested(OutgoingMessage(requestID: "r", text: "hi"), at: 0))
    let actions = sending.handle(.messageFailed(requestID: "r", old, at: 0))
    #expect(actions.results.first?.status == .failed)
    #expect(sending.connectionState == .blocked)
    var streaming = TurnMachine.open()
    _ = streaming.handle(.streamRefused(generation: 1, old))
    #expect(streaming.connectionState == .blocked)
  }

  @Test(arguments: [401, 403])
  func aRefusedKeyTakesNothingFromTheCursor(status: Int) {
    var machine = TurnMachine.open()
    _ = machine.handle(.event("5", "human_message", ["text": "hello"]))
    let refusal = RequestFailure(status: status, message: "no")
    _ = machine.handle(.streamRefused(generation: 1, refusal))
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: true))
    _ = machine.handle(.streamRefused(generation: 2, refusal))
    #expect(machine.connectionState == .blocked)
    #expect(machine.cursor == "5")
  }
}
