import Testing

@testable import HTTP3Engine

@Suite struct HTTP09TurnsTests {
  /// The order of so many datagrams.
  private func order(_ turns: inout HTTP09Turns, _ count: Int, hasMore: (StreamID) -> Bool = { _ in true }) -> [Int64] {
    (0..<count).compactMap { _ in
      guard let id = turns.next(hasMore) else { return nil }
      turns.didSend(id)
      return id.rawValue
    }
  }

  @Test func streamsSendInTurn() {
    var turns = HTTP09Turns()
    for id in [0, 4, 8, 4] { turns.resume(StreamID(Int64(id))) }
    #expect(order(&turns, 7) == [0, 4, 8, 0, 4, 8, 0])
  }

  @Test func aStreamWithNothingToSendLeavesTheLineUntilItHas() {
    var turns = HTTP09Turns()
    for id in [0, 4] { turns.resume(StreamID(Int64(id))) }
    #expect(order(&turns, 3) { $0 != StreamID(0) } == [4, 4, 4])
    turns.resume(StreamID(0))
    #expect(order(&turns, 4) == [4, 0, 4, 0])
    #expect(order(&turns, 2) { _ in false }.isEmpty)
  }

  @Test func aBlockedStreamWaitsForTheWindow() {
    var turns = HTTP09Turns()
    for id in [0, 4] { turns.resume(StreamID(Int64(id))) }
    turns.block(StreamID(0))
    // Data that is given to it meanwhile does not bring it back.
    turns.resume(StreamID(0))
    #expect(order(&turns, 2) == [4, 4])
    turns.unblock(StreamID(0))
    turns.unblock(StreamID(0))
    #expect(order(&turns, 4) == [4, 0, 4, 0])
  }

  @Test func aForgottenStreamHasNoTurn() {
    var turns = HTTP09Turns()
    for id in [0, 4, 8] { turns.resume(StreamID(Int64(id))) }
    turns.block(StreamID(8))
    turns.forget(StreamID(0))
    turns.forget(StreamID(8))
    turns.unblock(StreamID(8))
    #expect(order(&turns, 2) == [4, 4])
    turns.removeAll()
    #expect(order(&turns, 2).isEmpty)
  }
}
