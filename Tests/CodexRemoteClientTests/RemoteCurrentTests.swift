import Testing

@testable import CodexRemoteClient

/// When a chat is whole, so that somebody who only looks may leave.
@Suite struct RemoteCurrentTests {
  private func machine(turn: String?, frames: [String], messages: [String] = []) throws -> RemoteChatState {
    var machine = RemoteChatMachine()
    let said = messages.enumerated().map { Frames.said("user", "x", turn: $0.element, line: $0.offset) }
    _ = machine.loaded(try Frames.decodedTimeline(cursor: 0, turn: turn, messages: said))
    for (index, frame) in frames.enumerated() { _ = machine.received(try RemoteEvent(frame: frame), id: index + 1) }
    return machine.state
  }

  @Test func withoutAHistoryItIsNot() { #expect(!RemoteChatMachine().state.isCurrent) }

  @Test func aHistoryOfWhichTheEventsReportNothingIsCurrent() throws {
    #expect(try machine(turn: nil, frames: []).isCurrent)
    // The history is ahead of these events.
    #expect(try machine(turn: "t1", frames: [], messages: ["t1", "t2"]).isCurrent)
  }

  @Test func aTurnThatTheEventsReportIsWaitedFor() throws {
    #expect(!(try machine(turn: "t1", frames: []).isCurrent))
    let running = try machine(turn: "t1", frames: [Frames.turnStarted("t1")])
    #expect(running.isCurrent && running.isBusy)
    let over = try machine(turn: "t1", frames: [Frames.turnStarted("t1"), Frames.turnCompleted("t1")])
    #expect(over.isCurrent && !over.isBusy)
  }
}
