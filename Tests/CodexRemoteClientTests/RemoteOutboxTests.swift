import TestSupport
import Testing

@testable import CodexRemoteClient

/// Messages on their way through outages.
@Suite struct RemoteOutboxTests {
  private static let lost = RemoteError(.network, "gone")

  private var generator = SeededGenerator(seed: 21)
  private var outbox = RemoteOutbox(limits: RemoteChatLimits())

  /// Fails the attempts at their times, until no more is due; how many there were, and the time of the last.
  private mutating func fail(_ error: RemoteError, times: Int) -> (attempts: Int, at: Duration) {
    var now = Duration.zero
    for attempt in 0..<times {
      guard let message = outbox.next(at: now) else { return (attempt, now) }
      _ = outbox.failed(message.id, error, at: now, using: &generator)
      now = outbox.nextDeadline ?? now
    }
    return (times, now)
  }

  @Test(arguments: [
    lost, RemoteError(.timedOut, "late"), RemoteError(status: 429, body: []), RemoteError(status: 502, body: []),
    RemoteError(status: 503, body: []),
  ])
  mutating func anOutageOfADayLosesNoMessage(_ error: RemoteError) {
    _ = outbox.add("one", id: "r1")
    _ = outbox.add("two", id: "r2")
    let (attempts, now) = fail(error, times: 7_000)
    #expect(attempts == 7_000 && now > .seconds(24 * 3_600))
    // It is over: the first goes at once, under its id, and the other behind it.
    outbox.retryNow(at: now)
    let sent = [outbox.next(at: now)?.id, outbox.next(at: now)?.id]
    #expect(sent == ["r1", nil])
    _ = outbox.taken("r1", turnID: "t")
    let next = outbox.next(at: now)?.id
    #expect(next == "r2")
  }

  @Test mutating func aCompanionThatFailsIsNotAskedForEver() {
    _ = outbox.add("one", id: "r1")
    let attempts = fail(RemoteError(status: 500, body: []), times: 99).attempts
    #expect(attempts == RemoteChatLimits().attempts)
    #expect(outbox.messages.map(\.isPending) == [false])
    #expect(outbox.messages.first?.text == "one")
  }

  @Test mutating func whatIsWithdrawnIsNotSent() {
    _ = outbox.add("one", id: "r1")
    _ = outbox.add("two", id: "r2")
    _ = fail(Self.lost, times: 1)
    let withdrawn = ["r2", "r1", "r1"].map { outbox.withdraw($0)?.delivery }
    #expect(withdrawn == [.withdrawn(mayHaveArrived: false), .withdrawn(mayHaveArrived: true), nil])
    #expect(outbox.messages.isEmpty && outbox.nextDeadline == nil)
  }

  @Test mutating func whatIsWithdrawnInTheMiddleOfItsRequestIsNotSentAgain() {
    for isTaken in [false, true] {
      outbox = RemoteOutbox(limits: RemoteChatLimits())
      _ = outbox.add("one", id: "r1")
      _ = outbox.add("two", id: "r2")
      _ = outbox.next(at: .zero)
      let early = outbox.withdraw("r1")
      #expect(early == nil)
      let reported =
        isTaken
        ? outbox.taken("r1", turnID: "t") : outbox.failed("r1", Self.lost, at: .zero, using: &generator)
      #expect(reported?.delivery == (isTaken ? .delivered(turnID: "t") : .withdrawn(mayHaveArrived: true)))
      let next = outbox.next(at: .zero)?.id
      #expect(next == "r2")
    }
  }

  @Test func aClosedChatSendsNothingUntilItIsOpenedAgain() {
    var machine = RemoteChatMachine()
    var generator = generator
    _ = machine.linkChanged(.connecting(attempt: 1), at: .zero)
    _ = machine.send("one", id: "r1", at: .zero)
    _ = machine.linkChanged(.idle, at: .zero)
    _ = machine.sendFailed("r1", Self.lost, at: .zero, using: &generator)
    let posted = machine.send("two", id: "r2", at: .zero) + machine.timeReached(.seconds(99))
    #expect(posted == [] && machine.nextDeadline == nil)
    #expect(machine.state.outgoing.map(\.isPending) == [true, true])
    let opened = machine.linkChanged(.open(.scripted), at: .zero)
    #expect(opened.last == .post(id: "r1", text: "one"))
  }
}
