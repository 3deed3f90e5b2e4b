import Testing

@testable import ResolveKitCore

struct ToolLedgerTests {
  private func ledger(_ callIDs: String..., capacity: Int = 8, keptBytes: Int = 1000) -> ToolLedger {
    var ledger = ToolLedger(capacity: capacity, keptBytes: keptBytes)
    var effects = TurnEffects()
    for id in callIDs { _ = ledger.insert(CallScript.call(id), &effects) }
    return ledger
  }

  @Test func eachStepThatMustOutliveTheProcessIsRecordedOnce() {
    var ledger = ledger("a")
    let (key, call) = (CallScript.key("a"), CallScript.call("a"))
    #expect(CallScript.record { ledger.update(key, &$0) { $0.approve() } } == [])
    #expect(CallScript.record { ledger.update(key, &$0) { $0.start(at: 1) } } == [.intended(call)])
    #expect(
      CallScript.record { ledger.update(key, &$0) { $0.record(CallScript.result("a"), .completed, mayDeliver: true) } }
        == [.result(key, CallScript.result("a"), .completed)])
    #expect(CallScript.record { _ = ledger.settle(key, .accepted, at: 3, &$0) } == [.settled(key, .accepted, at: 3)])
    #expect(CallScript.record { _ = ledger.settle(key, .abandoned, at: 4, &$0) } == [])
  }

  @Test func callsThatAReplayMayBringAgainAreNotForgotten() {
    var ledger = ledger("a", "b", capacity: 2)
    var effects = TurnEffects()
    for id in ["a", "b"] {
      ledger.update(CallScript.key(id), &effects) { $0.record(CallScript.result(id), .completed, mayDeliver: true) }
      _ = ledger.settle(CallScript.key(id), .accepted, at: 1, &effects)
    }
    let sameTurn = ledger.insert(CallScript.call("c"), &effects)
    #expect(!sameTurn)
    let otherTurn = ledger.insert(CallScript.call("c", turn: "u"), &effects)
    #expect(otherTurn && ledger[CallScript.key("a")] == nil && ledger[CallScript.key("b")] != nil)
  }

  @Test func theOldestSettledResultsAreForgottenFirst() {
    var ledger = ledger("a", "b", "c", keptBytes: 8)
    var effects = TurnEffects()
    for id in ["a", "b", "c"] {
      ledger.update(CallScript.key(id), &effects) {
        $0.record(CallScript.result(id, "xx"), .completed, mayDeliver: true)
      }
    }
    for id in ["a", "b", "c"] { _ = ledger.settle(CallScript.key(id), .accepted, at: 1, &effects) }
    #expect(["a", "b", "c"].map { ledger[CallScript.key($0)]?.isResultForgotten } == [true, false, false])
  }

  @Test func theClockOfACallBeginsWhenTheOneBeforeItIsSettled() {
    var ledger = ledger("a", "b")
    let second = CallScript.second
    let first = CallScript.actions { ledger.scheduleDeadlines(turnID: "t", &$0) }
    #expect(
      first == [
        .scheduleDeadline(.toolCall(CallScript.key("a")), at: 30 * second),
        .scheduleDeadline(.toolCall(CallScript.key("b")), at: 60 * second),
      ])
    #expect(CallScript.actions { ledger.scheduleDeadlines(turnID: "t", &$0) } == [], "nothing has changed")
    var effects = TurnEffects()
    ledger.update(CallScript.key("a"), &effects) { $0.record(CallScript.result("a"), .completed, mayDeliver: true) }
    effects.begin()
    _ = ledger.settle(CallScript.key("a"), .accepted, at: second, &effects)
    #expect(
      effects.takeActions() == [
        .cancelDeadline(.resultRetry(CallScript.key("a"))), .resultSettled(CallScript.key("a"), .accepted),
        .scheduleDeadline(.toolCall(CallScript.key("b")), at: 31 * second),
      ])
  }

  @Test func aResultOnItsWayKeepsItsAnswerWhenItsTurnEnds() {
    var ledger = ledger("a", "b")
    var effects = TurnEffects()
    ledger.update(CallScript.key("a"), &effects) { $0.record(CallScript.result("a"), .completed, mayDeliver: true) }
    ledger.update(CallScript.key("b"), &effects) { $0.record(CallScript.result("b"), .completed, mayDeliver: false) }
    ledger.abandonDeliveries(of: "t", &effects)
    #expect(ledger.undelivered == [CallScript.key("a")])
    ledger.abandonDeliveries(of: nil, &effects)
    #expect(ledger.undelivered.isEmpty)
  }

  @Test func anUnknownCallChangesNothing() {
    var ledger = ledger("a")
    var effects = TurnEffects()
    let answer: Bool? = ledger.update(CallScript.key("z"), &effects) { _ in true }
    #expect(answer == nil && effects.record.isEmpty)
    let isNews = ledger.settle(CallScript.key("z"), .accepted, at: 1, &effects)
    #expect(!isNews && effects.takeActions().isEmpty)
  }
}
