import ResolveKitCore
import TestSupport
import Testing

@testable import CodexRemoteClient

/// Messages that codex took and did not add to their turn.
struct RemoteDroppedTests {
  private func machine() throws -> RemoteChatMachine {
    var machine = RemoteChatMachine()
    _ = machine.loaded(try Frames.decodedTimeline(cursor: 0))
    _ = machine.linkChanged(.open(.scripted), at: .zero)
    return machine
  }

  private func updates(_ effects: [RemoteChatMachine.Effect]) -> [RemoteUpdate] {
    effects.compactMap { if case .report(let update) = $0 { update } else { nil } }
  }

  private func play(
    _ frames: [String], into machine: inout RemoteChatMachine, from first: Int = 1
  ) throws -> [RemoteUpdate] {
    try frames.enumerated().flatMap { index, frame in
      updates(machine.received(try RemoteEvent(frame: frame), id: first + index))
    }
  }

  private func isMessage(_ update: RemoteUpdate) -> Bool { if case .message = update { true } else { false } }

  /// codex 0.163 answers a steer, and drops it where an interrupt comes before it was added to its turn.
  @Test(arguments: [false, true])
  func aMessageThatItsTurnEndedWithoutIsDropped(isAnswerLate: Bool) throws {
    var machine = try machine()
    _ = try play([Frames.turnStarted("t1"), Frames.person("t1", "u1", "one", request: "r1")], into: &machine)
    _ = machine.send("two", id: "r2", at: .zero)
    let receipt = RemoteReceipt(turnID: "t1", mode: "steered")
    var reported = isAnswerLate ? [] : updates(machine.sent("r2", receipt, at: .zero))
    reported += try play([Frames.turnCompleted("t1")], into: &machine, from: 3)
    if isAnswerLate { reported += updates(machine.sent("r2", receipt, at: .zero)) }
    let dropped = reported.compactMap { update -> String? in
      if case .message(let message) = update, case .dropped("t1") = message.delivery { message.id } else { nil }
    }
    #expect(dropped == ["r2"])
    #expect(machine.state.outgoing.isEmpty && !machine.state.isBusy)
  }

  /// codex 0.163 takes a steer up as its turn ends, and the companion starts another turn that answers it.
  @Test(arguments: [false, true])
  func aChatIsBusyUntilTheTurnThatAnswers(fails: Bool) throws {
    var machine = try machine()
    let told = try play([Frames.turnStarted("t1"), Frames.turnCompleted("t1", continues: true)], into: &machine)
    #expect(
      told.suffix(2) == [.turnContinues(turnID: "t1"), .turnEnded(turnID: "t1", status: "completed", error: nil)])
    #expect(machine.state.isBusy && machine.state.isContinuing && machine.state.runningTurnID == nil)
    let next = fails ? Frames.frame("error", ["error": ["message": "codex is away"]]) : Frames.turnStarted("t2")
    _ = try play([next], into: &machine, from: 3)
    #expect(!machine.state.isContinuing && machine.state.isBusy == !fails)
  }

  @Test func aMessageThatCameIntoItsTurnIsNotDropped() throws {
    var machine = try machine()
    _ = machine.send("one", id: "r1", at: .zero)
    _ = try play([Frames.turnStarted("t1")], into: &machine)
    _ = machine.sent("r1", RemoteReceipt(turnID: "t1", mode: "started"), at: .zero)
    let reported = try play(
      [Frames.person("t1", "u1", "one", request: "r1"), Frames.turnCompleted("t1")], into: &machine, from: 2)
    #expect(!reported.contains(where: isMessage))
  }

  /// Where events of the turn are missing, nobody knows whether it came into it.
  @Test func nothingIsCalledDroppedOfATurnThatWasNotReportedWhole() throws {
    var machine = try machine()
    _ = machine.send("one", id: "r1", at: .zero)
    _ = machine.sent("r1", RemoteReceipt(turnID: "t1", mode: "steered"), at: .zero)
    let reported = try play([Frames.turnCompleted("t1")], into: &machine)
    #expect(!reported.contains(where: isMessage))
    #expect(machine.state.outgoing.isEmpty)
  }
}
