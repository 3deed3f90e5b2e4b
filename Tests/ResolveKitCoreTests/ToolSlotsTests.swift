import Testing

@testable import ResolveKitCore

struct ToolSlotsTests {
  private func key(_ id: String) -> ToolCallKey { ToolCallKey(turnID: "t", callID: id) }

  private func slots(_ calls: [(id: String, lane: String?)]) -> ToolSlots {
    var slots = ToolSlots()
    for call in calls { slots.enter(key(call.id), serialKey: call.lane) }
    return slots
  }

  /// The calls that start, one after the other, until none may.
  private func starts(_ slots: inout ToolSlots, limit: Int, ready: Set<String>) -> [String] {
    var started: [String] = []
    while let next = slots.next(
      limit: limit, isOpen: { _ in true }, isReady: { ready.contains($0.callID) && !started.contains($0.callID) })
    {
      slots.hold(next)
      started.append(next.callID)
    }
    return started
  }

  @Test func callsStartInTheirOrderUpToTheLimit() {
    var slots = slots([("a", nil), ("b", nil), ("c", nil), ("d", nil)])
    #expect(starts(&slots, limit: 2, ready: ["b", "c", "d"]) == ["b", "c"])
    #expect(slots.held == 2)
    #expect(slots.release(key("b")) == true)
    #expect(starts(&slots, limit: 2, ready: ["a", "d"]) == ["a"])
  }

  @Test func callsOfOneLaneRunOneAfterTheOtherInTheirOrder() {
    var slots = slots([("a", "disk"), ("b", "disk"), ("c", nil), ("d", "net")])
    // The second of a lane does not overtake the first, which waits for approval.
    #expect(starts(&slots, limit: 9, ready: ["b", "c"]) == ["c"])
    #expect(starts(&slots, limit: 9, ready: ["a", "b", "d"]) == ["a", "d"])
    slots.release(key("a"))
    #expect(starts(&slots, limit: 9, ready: ["b"]) == ["b"])
  }

  @Test func aPlaceIsHeldUntilTheBodyReturnsThoughTheCallIsAnswered() {
    var slots = slots([("a", nil), ("b", nil), ("c", nil)])
    slots.hold(key("a"))
    // "b" has a result and no body that runs: it is forgotten.
    #expect(slots.next(limit: 1, isOpen: { $0.callID == "c" }, isReady: { _ in true }) == nil)
    #expect(slots.calls.map(\.key.callID) == ["a", "c"])
    #expect(slots.release(key("c")) == false)
    #expect(slots.release(key("unknown")) == false)
    slots.keepHeld()
    #expect(slots.calls.map(\.key.callID) == ["a"])
  }
}
