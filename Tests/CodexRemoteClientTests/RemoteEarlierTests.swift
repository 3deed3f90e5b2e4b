import ResolveKitCore
import Testing

@testable import CodexRemoteClient

/// Earlier pages of a history.
@Suite struct RemoteEarlierTests {
  private func page(
    _ lines: [Int], before: Int?, turn: String = "old", cursor: Int = 0, reported: String? = nil
  ) throws
    -> RemoteTimeline
  {
    let messages = lines.map { Frames.said("assistant", "line \($0)", turn: turn, line: $0) }
    return try Frames.decodedTimeline(cursor: cursor, turn: reported, messages: messages, older: before)
  }

  private func texts(_ entries: [RemoteEntry]) -> [String] {
    entries.map { if case .message(_, let text) = $0.content { text } else { "" } }
  }

  private func reported(_ effects: [RemoteChatMachine.Effect]) -> ([String], hasMore: Bool)? {
    guard case .report(.earlier(let entries, let hasMore))? = effects.first, effects.count == 1 else { return nil }
    return (texts(entries), hasMore)
  }

  @Test func pagesComeBeforeWhatIsHeldOnce() throws {
    var machine = RemoteChatMachine()
    _ = machine.loaded(try page([5, 6], before: 5))
    _ = machine.received(try RemoteEvent(frame: Frames.turnStarted("t")), id: 1)
    _ = machine.received(try RemoteEvent(frame: Frames.message("t", "m", "live")), id: 2)
    #expect(machine.state.hasEarlier)
    let first = try #require(reported(machine.loadedEarlier(try page([3, 4], before: 3), before: 5)))
    #expect(first == (["line 3", "line 4"], true))
    // The same page again, as from two calls at once.
    #expect(machine.loadedEarlier(try page([3, 4], before: 3), before: 5) == [])
    // A line that overlaps counts once.
    let second = try #require(reported(machine.loadedEarlier(try page([1, 2, 3], before: nil), before: 3)))
    #expect(second == (["line 1", "line 2"], false))
    #expect(texts(machine.state.entries) == (1...6).map { "line \($0)" } + ["live"])
    #expect(!machine.state.hasEarlier && machine.earlierCursor == nil)
    // What comes later still finds its entry.
    _ = machine.received(try RemoteEvent(frame: Frames.message("t", "m", "whole")), id: 3)
    #expect(texts(machine.state.entries).last == "whole" && machine.state.entries.count == 7)
  }

  @Test func theTurnThatTheEventsReportIsInNoPage() throws {
    var machine = RemoteChatMachine()
    _ = machine.loaded(try page([9], before: 9, turn: "now", reported: "now"))
    let reported = try #require(reported(machine.loadedEarlier(try page([7, 8], before: nil, turn: "now"), before: 9)))
    #expect(reported == ([], false))
  }

  @Test func aCursorThatLeadsNowhereEndsThePages() throws {
    for cursor in [5, 6, 1 << 53] {
      var machine = RemoteChatMachine()
      _ = machine.loaded(try page([5], before: 5))
      _ = machine.loadedEarlier(try page([4], before: cursor), before: 5)
      #expect(machine.earlierCursor == nil, "\(cursor)")
    }
  }

  @Test func aPageThatFindsNoRoomIsReportedAndNotHeld() throws {
    var machine = RemoteChatMachine(limits: RemoteChatLimits(entries: 4))
    _ = machine.loaded(try page([7, 8, 9], before: 7))
    let first = try #require(reported(machine.loadedEarlier(try page([5, 6], before: 5), before: 7)))
    #expect(first.0 == ["line 5", "line 6"])
    // One that would fit leaves a gap.
    let second = try #require(reported(machine.loadedEarlier(try page([4], before: nil), before: 5)))
    #expect(second.0 == ["line 4"])
    #expect(texts(machine.state.entries) == ["line 7", "line 8", "line 9"])
  }

  @Test func afterTheOldestGaveWayNoPageAdjoins() throws {
    var machine = RemoteChatMachine(limits: RemoteChatLimits(entries: 8))
    _ = machine.loaded(try page([5], before: 5))
    for number in 1...9 {
      _ = machine.received(try RemoteEvent(frame: Frames.message("t", "m\(number)", "live \(number)")), id: number)
    }
    let held = texts(machine.state.entries)
    #expect(held.first != "line 5")
    _ = machine.loadedEarlier(try page([4], before: nil), before: 5)
    #expect(texts(machine.state.entries) == held)
  }
}
