import Testing

@testable import ResolveKitCore

struct ApprovalDeskTests {
  private let window: UInt64 = 250

  /// A ledger of calls, and a desk at which they arrive at those times.
  private func desk(_ arrivals: [(id: String, at: MonotonicNanoseconds)]) -> (ApprovalDesk, ToolLedger) {
    var desk = ApprovalDesk()
    var ledger = ToolLedger(capacity: 8, keptBytes: 0)
    var effects = TurnEffects()
    for (id, now) in arrivals {
      _ = ledger.insert(CallScript.call(id, at: now), &effects)
      _ = desk.add(CallScript.key(id), at: now, window: window, limit: 8)
    }
    return (desk, ledger)
  }

  private func approve(_ id: String, _ ledger: inout ToolLedger) {
    var effects = TurnEffects()
    ledger.update(CallScript.key(id), &effects) { $0.approve() }
  }

  @Test func aWindowIsCountedFromItsFirstCall() {
    let (desk, ledger) = desk([("a", 0), ("b", 249), ("c", 250)])
    #expect(desk.checklists(in: ledger).map { $0.items.map(\.id) } == [["a", "b"], ["c"]])
  }

  @Test func oneQuestionIsAskedAtATime() {
    var (desk, ledger) = desk([("a", 0), ("b", 300)])
    let first = CallScript.actions { desk.windowEnded(1, ledger, &$0) }
    #expect(first.asked.map { $0.calls.map(\.callID) } == [["a"]])
    #expect(CallScript.actions { desk.windowEnded(2, ledger, &$0) } == [], "the first one is still open")
    #expect(desk.question(in: ledger)?.batchID == 1)
    approve("a", &ledger)
    let next = CallScript.actions { desk.askNext(ledger, &$0) }
    #expect(next.contains(.withdrawApproval(batchID: 1)))
    #expect(next.asked.map(\.batchID) == [2] && desk.question(in: ledger)?.batchID == 2)
  }

  @Test func theQuestionIsAskedAgainAboutWhatStillWaits() {
    var (desk, ledger) = desk([("a", 0), ("b", 1)])
    _ = CallScript.actions { desk.windowEnded(1, ledger, &$0) }
    #expect(CallScript.actions { desk.askNext(ledger, &$0) } == [], "nothing has changed")
    approve("a", &ledger)
    #expect(CallScript.actions { desk.askNext(ledger, &$0) }.asked.map { $0.calls.map(\.callID) } == [["b"]])
  }

  @Test func aBatchWithNothingToAskIsPassedOver() {
    var (desk, ledger) = desk([("a", 0)])
    approve("a", &ledger)
    #expect(CallScript.actions { desk.windowEnded(1, ledger, &$0) } == [])
    #expect(desk.question(in: ledger) == nil && desk.unasked(in: ledger).isEmpty)
  }

  @Test func aListThatCannotChangeOutlivesItsCalls() {
    var (desk, ledger) = desk([("a", 0)])
    _ = CallScript.actions { desk.windowEnded(1, ledger, &$0) }
    var effects = TurnEffects()
    ledger.update(CallScript.key("a"), &effects) {
      $0.record(CallScript.result("a"), .completed, mayDeliver: true)
    }
    desk.askNext(ledger, &effects)
    let list = desk.checklists(in: ledger)
    #expect(list.map(\.state) == [.finished])
    ledger.remove(CallScript.key("a"))
    #expect(desk.checklists(in: ledger) == list)
  }

  @Test func aDecisionMustNameWhatIsAsked() throws {
    var (desk, ledger) = desk([("a", 0), ("b", 1)])
    _ = CallScript.actions { desk.windowEnded(1, ledger, &$0) }
    let shown = try #require(desk.question(in: ledger))
    var effects = TurnEffects()
    ledger.scheduleDeadlines(turnID: "t", &effects)
    let check = ApprovalCheck(desk: desk, ledger: ledger)
    #expect(
      try check.calls(under: .approveOnce, on: shown, only: nil, at: 2) == [CallScript.key("a"), CallScript.key("b")])
    #expect(try check.calls(under: .approveOnce, on: shown, only: ["b"], at: 2) == [CallScript.key("b")])
    #expect(throws: ResolveKitDecisionRefusal.notShown) {
      try check.calls(under: .approveOnce, on: shown, only: ["c"], at: 2)
    }
    #expect(throws: ResolveKitDecisionRefusal.tooLate) {
      try check.calls(under: .approveOnce, on: shown, only: nil, at: 61 * CallScript.second)
    }
    #expect(try check.calls(under: .deny, on: shown, only: nil, at: 61 * CallScript.second).count == 2)
  }
}
