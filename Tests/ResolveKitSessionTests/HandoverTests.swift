import ResolveKitCore
import Testing

@testable import ResolveKitSession

struct HandoverTests {
  private func refusal(_ status: Int, code: String? = nil) -> Handover.Refusal {
    Handover.Refusal(generation: 3, failure: RequestFailure(status: status, code: code, message: "gone"))
  }

  @Test func theEndOfAnEscalatedSessionsStreamIsHeldBackUntilTheUserWrites() {
    var handover = Handover()
    handover.escalate("s")
    let isHeld = handover.holdBack(refusal(410), of: "s")
    #expect(isHeld)
    handover.escalate("s")
    let taken = [handover.takeRefusal(), handover.takeRefusal()]
    #expect(taken == [refusal(410), nil])
    let isHeldAgain = handover.holdBack(refusal(410), of: "s")
    #expect(isHeldAgain, "the session stays with the person")
  }

  @Test func noOtherRefusalIsHeldBack() {
    var handover = Handover()
    let withoutPerson = handover.holdBack(refusal(410), of: "s")
    handover.escalate("s")
    let held = [
      handover.holdBack(refusal(403), of: "s"), handover.holdBack(refusal(410, code: "cursor_expired"), of: "s"),
      handover.holdBack(refusal(410), of: "other"),
    ]
    #expect(!withoutPerson && held == [false, false, false])
    let taken = handover.takeRefusal()
    #expect(taken == nil)
  }
}
