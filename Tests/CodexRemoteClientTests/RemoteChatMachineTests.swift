import ResolveKitCore
import TestSupport
import Testing

@testable import CodexRemoteClient

@Suite struct RemoteChatMachineTests {
  private static let turn = [
    Frames.turnStarted("t1"), Frames.person("t1", "u", "make it", request: "r1"),
    Frames.delta("t1", "m1", "I will "), Frames.delta("t1", "m1", "make it."),
    Frames.message("t1", "m1", "I will make it."),
    Frames.command("t1", "c1", "touch a", event: "item_started", status: "inProgress"), Frames.approval("a"),
    Frames.approval("b"), Frames.cleared("a"), Frames.cleared("b"),
    Frames.command("t1", "c1", "touch a", event: "item_completed", status: "completed"),
    Frames.message("t1", "m2", "Made."), Frames.turnCompleted("t1"),
  ]

  private func machine(cursor: Int = 0) throws -> RemoteChatMachine {
    var machine = RemoteChatMachine()
    _ = machine.loaded(try Frames.decodedTimeline(cursor: cursor))
    return machine
  }

  @discardableResult
  private func play(
    _ frames: [String], into machine: inout RemoteChatMachine, from first: Int = 1
  ) throws -> [RemoteUpdate] {
    try frames.enumerated().flatMap { index, frame in
      machine.received(try RemoteEvent(frame: frame), id: first + index).compactMap { effect -> RemoteUpdate? in
        if case .report(let update) = effect { return update }
        return nil
      }
    }
  }

  @Test func aTurnIsFoldedIntoEntriesInOrder() throws {
    var machine = try machine()
    try play(Self.turn, into: &machine)
    let contents = machine.state.entries.map(\.content)
    #expect(
      contents == [
        .message(role: .user, text: "make it"), .message(role: .assistant, text: "I will make it."),
        .command(line: "touch a", folder: "/w", exitCode: nil, output: nil), .message(role: .assistant, text: "Made."),
      ])
    #expect(machine.state.entries.allSatisfy { $0.progress == .completed })
    #expect(machine.state.runningTurnID == nil)
    #expect(machine.state.approvals.isEmpty)
    #expect(!machine.state.isBusy)
  }

  @Test func eventsThatComeAgainAtAnyCutChangeNothing() throws {
    var once = try machine()
    let updates = try play(Self.turn, into: &once)
    for cut in Self.turn.indices {
      for back in 0...cut {
        var twice = try machine()
        var reported = try play(Array(Self.turn[..<cut]), into: &twice)
        reported += try play(Array(Self.turn[(cut - back)...]), into: &twice, from: cut - back + 1)
        #expect(twice == once, "cut at \(cut), \(back) again")
        #expect(reported == updates, "cut at \(cut), \(back) again")
      }
    }
  }

  @Test func severalApprovalsAreOpenAndLeaveOneByOne() throws {
    var machine = try machine()
    try play(Array(Self.turn[..<8]), into: &machine)
    #expect(machine.state.approvals.map(\.id) == ["a", "b"])
    #expect(machine.decide("a", .approve) == [.decide(id: "a", .approve, content: nil)])
    // A second answer of the same person, while the first is on its way.
    guard case .report(.decisionRefused("a", _))? = machine.decide("a", .decline).first else {
      Issue.record("the second answer was sent")
      return
    }
    try play([Frames.cleared("a")], into: &machine, from: 9)
    #expect(machine.decided("a") == [])
    #expect(machine.state.approvals.map(\.id) == ["b"])
  }

  @Test func anAnswerAfterAnotherRemotesIsRefusedAndSaid() throws {
    var machine = try machine()
    var generator = SeededGenerator(seed: 6)
    try play(Array(Self.turn[..<9]), into: &machine)
    guard case .report(.decisionRefused("a", let reason))? = machine.decide("a", .approve).first else {
      Issue.record("the late answer was sent")
      return
    }
    #expect(reason.contains("elsewhere"))
    // One that crossed the other's on its way.
    #expect(machine.decide("b", .approve).count == 1)
    try play([Frames.cleared("b")], into: &machine, from: 10)
    #expect(
      machine.decisionFailed(
        "b", RemoteError(status: 409, body: Array(#"{"error":"This request was answered already."}"#.utf8)), at: .zero,
        using: &generator) == [.report(.decisionRefused(id: "b", reason: "This request was answered already."))])
  }

  @Test func anAnswerThatIsLostIsSentAgainUntilItIsKnownToCount() throws {
    var machine = try machine()
    var generator = SeededGenerator(seed: 5)
    try play(Array(Self.turn[..<8]), into: &machine)
    let sent = [RemoteChatMachine.Effect.decide(id: "a", .allowForSession, content: nil)]
    #expect(machine.decide("a", .allowForSession) == sent)
    let lost = RemoteError(.network, "gone")
    guard case .report(.notice)? = machine.decisionFailed("a", lost, at: .zero, using: &generator).first else {
      Issue.record("nothing is reported")
      return
    }
    guard case .report(.decisionRefused)? = machine.decide("a", .decline).first else {
      Issue.record("another answer was sent beside it")
      return
    }
    let due = try #require(machine.nextDeadline)
    #expect(machine.timeReached(due - .milliseconds(1)) == [])
    #expect(machine.timeReached(due) == sent)
    #expect(machine.timeReached(due) == [])
    #expect(machine.decisionFailed("a", lost, at: due, using: &generator) == [])
    // The way is free again: nothing waits for its time.
    #expect(machine.linkChanged(.open(.scripted), at: due).contains(sent[0]))
    // The first one had arrived.
    let answered = RemoteError(status: 409, body: [])
    #expect(
      machine.decisionFailed("a", answered, at: due, using: &generator)
        == [.report(.approvalGone(id: "a", reason: "It was answered."))])
    #expect(machine.state.approvals.map(\.id) == ["b"] && machine.nextDeadline == nil)
    // The end of a question is the end of its answers.
    _ = machine.decide("b", .approve)
    _ = machine.decisionFailed("b", lost, at: due, using: &generator)
    try play([Frames.cleared("b")], into: &machine, from: 9)
    #expect(machine.nextDeadline == nil)
    #expect(machine.decisionFailed("b", lost, at: due, using: &generator) == [])
  }

  @Test func anAnswerThatCountedBeforeItWasSentAgainIsNoRefusal() throws {
    for status in [404, 409] {
      var machine = try machine()
      var generator = SeededGenerator(seed: 3)
      try play(Array(Self.turn[..<8]), into: &machine)
      _ = machine.decide("a", .approve)
      _ = machine.decisionFailed("a", RemoteError(.network, "gone"), at: .zero, using: &generator)
      #expect(machine.timeReached(try #require(machine.nextDeadline)).count == 1)
      // The end of the question comes while the answer is on its way once more.
      try play([Frames.cleared("a")], into: &machine, from: 9)
      let refused = RemoteError(status: status, body: [])
      #expect(machine.decisionFailed("a", refused, at: .seconds(9), using: &generator) == [], "\(status)")
      #expect(machine.nextDeadline == nil)
    }
  }

  @Test func anAnswerThatNeverArrivesIsGivenUp() throws {
    var machine = try machine()
    var generator = SeededGenerator(seed: 4)
    try play(Array(Self.turn[..<8]), into: &machine)
    _ = machine.decide("a", .approve)
    var now = Duration.zero
    var reported: [RemoteChatMachine.Effect] = []
    for _ in 0..<RemoteChatLimits().attempts {
      reported = machine.decisionFailed("a", RemoteError(.network, "gone"), at: now, using: &generator)
      guard let due = machine.nextDeadline else { break }
      now = due
      _ = machine.timeReached(now)
    }
    #expect(reported == [.report(.decisionRefused(id: "a", reason: "gone"))])
    #expect(machine.decide("a", .decline) == [.decide(id: "a", .decline, content: nil)])
  }

  @Test func whatIsNotOfferedIsNotSent() throws {
    var machine = try machine()
    try play([Frames.approval("a")], into: &machine)
    guard case .report(.decisionRefused)? = machine.decide("a", .allowAlways).first else {
      Issue.record("it was sent")
      return
    }
    #expect(machine.decide("a", .allowForSession) == [.decide(id: "a", .allowForSession, content: nil)])
  }

  @Test func theQuestionsThatAStreamBeginsWithHaveNoNumber() throws {
    var machine = try machine(cursor: 5)
    let event = try RemoteEvent(frame: Frames.approval("a"))
    #expect(machine.received(event, id: nil).count == 1)
    #expect(machine.received(event, id: nil).isEmpty)
    #expect(machine.received(event, id: 6).isEmpty)
    #expect(machine.state.approvals.map(\.id) == ["a"])
    #expect(machine.state.sequence == 6)
  }

  @Test func aHistoryLeavesTheTurnOutThatTheEventsRepeat() throws {
    var machine = RemoteChatMachine()
    _ = machine.loaded(
      try Frames.decodedTimeline(
        cursor: 0, turn: "t1",
        messages: [
          Frames.said("user", "before", turn: "t0", line: 1), Frames.said("assistant", "yes", turn: "t0", line: 2),
          Frames.said("user", "make it", turn: "t1", line: 3),
        ]))
    #expect(machine.state.entries.count == 2)
    try play(Self.turn, into: &machine)
    #expect(machine.state.entries.count == 6)
  }

  @Test func aTurnThatOthersFollowedElsewhereIsNotReportedAgain() throws {
    var machine = RemoteChatMachine()
    _ = machine.loaded(
      try Frames.decodedTimeline(
        cursor: 0, turn: "t1",
        messages: [
          Frames.said("user", "make it", turn: "t1", line: 1), Frames.said("user", "by hand", turn: "t2", line: 2),
        ]))
    try play(Self.turn, into: &machine)
    #expect(machine.state.entries.map(\.id.turnID) == ["t1", "t2"])
    #expect(machine.state.runningTurnID == nil)
  }

  @Test func aGapIsReportedAndTheHistoryReadOnce() throws {
    var machine = try machine()
    try play([Frames.turnStarted("t1")], into: &machine)
    let effects = machine.received(try RemoteEvent(frame: Frames.delta("t1", "m", "x")), id: 5)
    #expect(effects.last == .reload)
    #expect(machine.state.sequence == 1)
    let again = machine.received(try RemoteEvent(frame: Frames.delta("t1", "m", "x")), id: 5)
    #expect(!again.contains(.reload))
  }

  @Test func aMessageIsTriedAgainUnderItsIdAndInOrder() throws {
    var machine = try machine()
    var generator = SeededGenerator(seed: 7)
    #expect(machine.send("one", id: "r1", at: .zero) == [.post(id: "r1", text: "one")])
    #expect(machine.send("two", id: "r2", at: .zero) == [])
    let lost = RemoteError(.network, "gone")
    _ = machine.sendFailed("r1", lost, at: .zero, using: &generator)
    let due = try #require(machine.nextDeadline)
    #expect(due > .zero)
    #expect(machine.timeReached(due - .milliseconds(1)) == [])
    #expect(machine.timeReached(due) == [.post(id: "r1", text: "one")])
    let effects = machine.sent("r1", RemoteReceipt(turnID: "t1", mode: "started"), at: due)
    #expect(effects.contains(.post(id: "r2", text: "two")))
    try play([Frames.turnStarted("t1"), Frames.person("t1", "u1", "one", request: "r1")], into: &machine)
    #expect(machine.state.outgoing.map(\.id) == ["r2"])
  }

  @Test func aMessageWhoseAnswerWasLostHasArrived() throws {
    var machine = try machine()
    var generator = SeededGenerator(seed: 8)
    _ = machine.send("make it", id: "r1", at: .zero)
    try play(Array(Self.turn[..<2]), into: &machine)
    _ = machine.sendFailed("r1", RemoteError(.network, "gone"), at: .zero, using: &generator)
    #expect(machine.state.outgoing.isEmpty)
    #expect(machine.nextDeadline == nil)
  }

  @Test func aRefusedMessageIsNotTriedAgain() throws {
    var machine = try machine()
    var generator = SeededGenerator(seed: 9)
    _ = machine.send("one", id: "r1", at: .zero)
    _ = machine.sendFailed("r1", RemoteError(status: 403, body: []), at: .zero, using: &generator)
    #expect(machine.nextDeadline == nil)
    #expect(!machine.state.isBusy)
  }

  @Test func numbersAtTheEndOfTheRangeTrapNothing() throws {
    let event = try RemoteEvent(frame: Frames.turnStarted("t"))
    for first in [Int.min, -1, 0, .max - 1, .max] {
      for second in [Int.min, -1, 0, 1, .max] {
        var machine = RemoteChatMachine()
        _ = machine.received(event, id: first)
        _ = machine.passedOver(id: second, reason: "x")
        _ = machine.received(event, id: second)
        // A gap has the history read again before anything behind it counts.
        #expect([first, max(first, second)].contains(machine.state.sequence), "\(first), \(second)")
      }
    }
  }

  @Test func whatAPeerCanMakeGrowIsBounded() throws {
    var limits = RemoteChatLimits()
    limits.entries = 16
    limits.bytes = 4_096
    limits.text = 256
    limits.approvals = 4
    var machine = RemoteChatMachine(limits: limits)
    _ = machine.loaded(try Frames.decodedTimeline(cursor: 0))
    var number = 0
    func take(_ frame: String) throws {
      number += 1
      _ = machine.received(try RemoteEvent(frame: frame), id: number)
    }
    for index in 0..<200 {
      try take(Frames.message("t", "m\(index)", String(repeating: "x", count: 600)))
      try take(Frames.delta("t", "d", String(repeating: "y", count: 100)))
      try take(Frames.approval("a\(index)"))
      #expect(machine.state.entries.count <= 16)
      #expect(machine.state.entries.reduce(0) { $0 + $1.size } <= 4_096)
      #expect(machine.state.approvals.count <= 4)
    }
    for index in 0..<100 { _ = machine.send("x", id: "r\(index)", at: .zero) }
    #expect(machine.state.outgoing.count <= limits.outgoing)
  }
}
