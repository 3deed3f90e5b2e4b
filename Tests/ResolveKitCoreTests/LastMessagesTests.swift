import Testing

@testable import ResolveKitCore

struct LastMessagesTests {
  private let message = OutgoingMessage(requestID: "r", text: "hi")

  private func left(_ arrival: LeftMessage.Arrival) -> LeftMessage {
    LeftMessage(message: message, earlier: ["before"], arrival: arrival)
  }

  @Test func theLastWordsAreThoseThatMayHaveArrived() {
    var messages = LastMessages()
    messages.know(["one"])
    messages.begin(message, after: messages.words)
    #expect(messages.words == ["one", "hi"])
    messages.arrived(message)
    #expect(messages.words == ["hi"])
    messages.begin(message, after: nil)
    #expect(messages.words == nil, "what came before is not known")
  }

  @Test func tooManyLastWordsAreNone() {
    var messages = LastMessages()
    messages.begin(message, after: Array(repeating: "x", count: TurnPolicy.maximumLastWords))
    #expect(messages.words == nil)
  }

  @Test func aMessageThatWasNotSentIsShownAsThat() {
    var messages = LastMessages()
    let actions = CallScript.actions { messages.leave(left(.no), .failed, &$0) }
    #expect(actions == [.showDelivery(message, .notSent)])
    #expect(messages.words == ["before"] && messages.left == left(.no))
  }

  @Test(arguments: [TurnResult.Status.failed, .cancelled])
  func aMessageOfUnknownFateIsShownWhereItsTurnFailed(_ status: TurnResult.Status) {
    var messages = LastMessages()
    let actions = CallScript.actions { messages.leave(left(.unknown(since: 1)), status, &$0) }
    #expect(actions == (status == .failed ? [.showDelivery(message, .unknown)] : []))
  }

  @Test func anAnsweredMessageIsNotLeft() {
    var messages = LastMessages()
    #expect(CallScript.actions { messages.leave(left(.ended), .complete, &$0) } == [])
    #expect(messages.left == nil)
  }

  @Test func aLateAnswerLeavesNothingToRetry() {
    var messages = LastMessages()
    messages.restore(left(.unknown(since: 1)))
    let accepted = CallScript.record { messages.accepted(requestID: "r", turnID: "t", &$0) }
    #expect(accepted == [.leftMessage(requestID: "r", .running(turnID: "t"))])
    let complete = ResolveKitEnvelope(eventID: "1", turnID: "t", requestID: nil, type: "turn_complete", payload: [:])
    #expect(CallScript.record { messages.receive(complete, isShown: false, &$0) } == [], "its answer is not shown")
    #expect(
      CallScript.record { messages.receive(complete, isShown: true, &$0) } == [.leftMessage(requestID: "r", nil)])
    #expect(messages.left == nil)
  }

  @Test func aRefusedMessageMayBeSentAtOnce() {
    var messages = LastMessages()
    messages.restore(left(.unknown(since: 1)))
    #expect(CallScript.actions { messages.refused(requestID: "other", &$0) } == [])
    #expect(CallScript.actions { messages.refused(requestID: "r", &$0) } == [.showDelivery(message, .notSent)])
    #expect(messages.left?.arrival == .no)
  }

  @Test func anotherSessionKnowsNothingOfTheMessage() {
    var messages = LastMessages()
    messages.restore(left(.running(turnID: "t")))
    messages.leaveSession()
    #expect(messages.left == LeftMessage(message: message, earlier: nil, arrival: .no) && messages.words == nil)
  }
}
