import Testing

@testable import ResolveKitCore

struct CallBookTests {
  private let a = CallScript.key("a")

  /// A book with these calls, in one batch.
  private func book(_ callIDs: String..., policy: TurnPolicy = TurnPolicy()) -> CallBook {
    var book = CallBook(policy: policy)
    var effects = TurnEffects()
    for id in callIDs {
      _ = book.insert(CallScript.call(id), &effects)
      book.join(CallScript.call(id), at: 0, &effects)
    }
    return book
  }

  @Test func theFirstResultIsTheOneThatIsDelivered() {
    var book = book("a")
    let first = CallScript.actions { book.record(a, .success(1), .completed, mayDeliver: true, &$0) }
    #expect(first.delivered == [CallScript.result("a")] && first.first == .cancelDeadline(.toolCall(a)))
    #expect(CallScript.actions { book.record(a, .success(2), .completed, mayDeliver: true, &$0) } == [])
  }

  @Test func aValueThatIsNestedTooDeeplyIsAnError() {
    var book = book("a")
    var value: JSONValue = 1
    for _ in 0...JSONValue.maximumDepth { value = .array([value]) }
    let actions = CallScript.actions { book.record(a, .success(value), .completed, mayDeliver: true, &$0) }
    #expect(actions.delivered.map(\.status) == [.error])
    #expect(book.batches.first?.items.first?.status == .failed(actions.delivered.first?.error ?? ""))
  }

  @Test func theBackendThatAsksAgainGetsTheSameResultUnderAnotherKey() throws {
    var book = book("a")
    var effects = TurnEffects()
    book.record(a, .success(1), .completed, mayDeliver: true, &effects)
    effects.begin()
    let known = try #require(book[a])
    let moment = CallMoment(now: 1, mayDeliver: true)
    book.answerAgain(known, CallScript.request("a"), eventID: "7", at: moment, &effects)
    book.answerAgain(known, CallScript.request("a", "other"), eventID: "8", at: moment, &effects)
    let delivered = effects.takeActions().delivered
    #expect(delivered.map(\.idempotencyKey) == ["7#a", "8#a"])
    #expect(delivered.map(\.status) == [.success, .error] && delivered.map(\.callID) == ["a", "a"])
  }

  @Test func anEndOfTheConnectionKeepsAllResultsForTheNextStream() {
    var book = book("a", "b")
    var effects = TurnEffects()
    book.start(a, at: 1, &effects)
    effects.begin()
    book.keepResults(reason: "Stopped", &effects)
    let actions = effects.takeActions()
    #expect(actions.contains(.cancelTool(a)) && actions.delivered.isEmpty)
    #expect(
      CallScript.actions { book.redeliverResults(&$0) }.delivered.map(\.error) == ["Stopped", "Stopped"])
  }

  @Test func callsOfATurnThatHasEndedAreGivenUp() {
    var book = book("a", "b")
    var effects = TurnEffects()
    book.start(a, at: 1, &effects)
    effects.begin()
    book.abandon(turnID: "t", reason: "The turn ended", &effects)
    let actions = effects.takeActions()
    #expect(actions.contains(.cancelTool(a)) && actions.contains(.resultSettled(CallScript.key("b"), .abandoned)))
    #expect(actions.delivered.isEmpty && book.unfinished(turnID: nil).isEmpty)
  }

  @Test func aCallThatFoundNoPlaceInTimeIsCancelled() {
    var book = book("a")
    var effects = TurnEffects()
    book.approve(a, &effects)
    effects.begin()
    book.expire(a, because: "Timed out", mayDeliver: true, &effects)
    #expect(effects.takeActions().delivered.map(\.error) == ["Timed out after 30s"])
    #expect(book[a]?.status == .cancelled("Timed out: no place to run it came free"))
  }

  @Test func aFullBatchIsOverAtOnce() {
    var policy = TurnPolicy()
    policy.maximumBatchSize = 2
    var book = book("a", policy: policy)
    let call = CallScript.call("b", at: 5)
    var effects = TurnEffects()
    _ = book.insert(call, &effects)
    book.join(call, at: 5, &effects)
    #expect(effects.takeActions().last == .scheduleDeadline(.batchWindow(batchID: 1), at: 5))
  }

  @Test func batchesOfTheSuccessorHaveOtherIDs() {
    let first = book("a")
    var next = first.successor()
    #expect(next.batches.isEmpty && next[a] == nil)
    var effects = TurnEffects()
    _ = next.insert(CallScript.call("a"), &effects)
    next.join(CallScript.call("a"), at: 0, &effects)
    #expect(next.batches.map(\.id) == [2])
  }
}
