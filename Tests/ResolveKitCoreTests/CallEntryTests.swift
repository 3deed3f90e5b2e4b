import Testing

@testable import ResolveKitCore

struct CallEntryTests {
  private let busy = RequestFailure(status: 503, message: "busy")

  /// An entry whose result is on its way.
  private func sent() -> CallEntry {
    var entry = CallEntry(CallScript.call("a"))
    entry.record(CallScript.result("a"), .completed, mayDeliver: true)
    return entry
  }

  @Test func aStartedToolHasItsOwnTime() {
    var entry = CallEntry(CallScript.call("a", timeout: 5, at: 10))
    #expect(entry.deadline(after: 0) == 10 + 5 * CallScript.second)
    // The clock of a call begins when the one before it ends, and no later than its tool.
    #expect(entry.deadline(after: 100) == 100 + 5 * CallScript.second)
    entry.start(at: 20)
    #expect(entry.deadline(after: 100) == 20 + 5 * CallScript.second)
  }

  @Test func aDeliveryIsTriedAgainWithTheSameBytesAndGivenUpAtTheLimit() {
    var entry = sent()
    #expect(entry.deliveryFailed(busy, limit: 3, mayDeliver: true) == .retries(afterSeconds: 1))
    #expect(entry.retry() == CallScript.result("a"))
    #expect(entry.deliveryFailed(busy, limit: 3, mayDeliver: true) == .retries(afterSeconds: 2))
    #expect(entry.retry() == CallScript.result("a"))
    #expect(entry.deliveryFailed(busy, limit: 3, mayDeliver: true) == .ends(.abandoned))
  }

  @Test func withoutAStreamTheResultWaits() {
    var entry = sent()
    #expect(entry.deliveryFailed(busy, limit: 1, mayDeliver: false) == .waits)
    #expect(entry.deliveryFailed(busy, limit: 1, mayDeliver: false) == nil, "it is not on its way any more")
    #expect(entry.retry() == CallScript.result("a"))
  }

  @Test func theSessionIsRenewedOnceForAResult() {
    var entry = sent()
    let refused = RequestFailure(status: 401, message: "expired")
    #expect(entry.deliveryFailed(refused, limit: 9, mayDeliver: true) == .renewsSession)
    #expect(entry.retry() != nil)
    #expect(entry.deliveryFailed(refused, limit: 9, mayDeliver: true) == .ends(.refused(refused)))
  }

  @Test func theFirstWordOnAResultIsTheLast() {
    var entry = sent()
    #expect(entry.settle(.accepted, at: 7) == true)
    #expect(entry.settle(.abandoned, at: 9) == false)
    #expect(entry.progress == .recorded(CallScript.result("a"), .settled(.accepted)))
    #expect(entry.settledAt == 7)
    #expect(entry.retry() == nil)
  }

  @Test func aCallThatHasNoResultIsNotSettled() {
    var entry = CallEntry(CallScript.call("a"))
    #expect(entry.settle(.accepted, at: 1) == false)
    #expect(entry.isUnfinished && entry.progress == .waiting)
  }

  @Test func aForgottenResultIsAnsweredWithAnError() {
    var entry = sent()
    entry.forgetResult()
    #expect(!entry.isResultForgotten, "it is still to be delivered")
    _ = entry.settle(.accepted, at: 1)
    #expect(entry.resultBytes == 1)
    entry.forgetResult()
    #expect(entry.isResultForgotten)
    guard case .recorded(let payload, _) = entry.progress else { Issue.record("no result"); return }
    #expect(payload.status == .error && payload.idempotencyKey == "a")
  }

  @Test func progressIsShownWhileTheToolRuns() {
    var entry = CallEntry(CallScript.call("a"))
    entry.start(at: 1)
    entry.report(ResolveKitToolProgress(fraction: 0.5))
    #expect(entry.toolProgress == ResolveKitToolProgress(fraction: 0.5))
    entry.record(CallScript.result("a"), .completed, mayDeliver: true)
    #expect(entry.toolProgress == nil)
  }
}
