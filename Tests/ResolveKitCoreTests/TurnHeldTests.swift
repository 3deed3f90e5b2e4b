import Testing

@testable import ResolveKitCore

/// A message that the backend holds back with 409, since an earlier turn runs.
struct TurnHeldTests {
  private let message = OutgoingMessage(requestID: "r2", text: "next")
  private let second: MonotonicNanoseconds = 1_000_000_000
  private let conflict = RequestFailure(status: 409, message: "A turn is already in progress")

  /// A machine whose message "next" is on its way, while the backend runs the cancelled turn "t".
  private func posting() -> TurnMachine {
    var machine = TurnMachine.running()
    _ = machine.handle(.cancelRequested(at: 1))
    _ = machine.handle(.sendRequested(message, at: 1))
    return machine
  }

  private static let passing = [
    RequestFailure(message: "connection refused"), RequestFailure(status: 500, message: "error"),
    RequestFailure(status: 502, message: "bad gateway"), RequestFailure(message: "no answer within 30 s"),
  ]

  @Test(arguments: passing) func noErrorThatPassesDropsIt(failure: RequestFailure) {
    var machine = posting()
    _ = machine.handle(.messageFailed(requestID: "r2", conflict, at: second))
    for round in 2...20 as ClosedRange<UInt64> {
      let now = round * 16 * second
      let retry = machine.handle(.deadlinePassed(.messageRetry(requestID: "r2"), at: now))
      #expect(retry.contains(.postMessage(message)), "try \(round)")
      let failed = machine.handle(.messageFailed(requestID: "r2", failure, at: now + 1))
      #expect(failed.results.isEmpty, "try \(round)")
    }
    _ = machine.handle(.deadlinePassed(.messageRetry(requestID: "r2"), at: 340 * second))
    _ = machine.handle(.messageAccepted(requestID: "r2", turnID: "t2", at: 341 * second))
    #expect(machine.isTurnInProgress)
  }

  @Test func theEarlierTurnsEndBetweenPostAndAnswerChangesNothing() {
    var machine = posting()
    _ = machine.handle(.event("1", "turn_complete", ["full_text": "old"]))
    let held = machine.handle(.messageFailed(requestID: "r2", conflict, at: second))
    #expect(held.results.isEmpty)
    #expect(held.contains(.scheduleDeadline(.messageRetry(requestID: "r2"), at: 2 * second)))
    #expect(
      machine.handle(.deadlinePassed(.messageRetry(requestID: "r2"), at: 2 * second)).contains(.postMessage(message)))
  }
}
