import ResolveKitCore
import Testing

@testable import CodexCompanion

/// A steer that codex 0.163 takes up as its turn ends, and does not answer.
struct UnansweredMessageTests {
  private let message: JSONObject = ["id": "u2", "type": "userMessage", "clientId": "r2"]

  private func notification(_ item: JSONObject, _ turnID: String = "t1") -> JSONObject {
    ["threadId": "c", "turnId": .string(turnID), "item": .object(item)]
  }

  private func turn(_ id: String, _ status: String) -> JSONObject {
    ["threadId": "c", "turn": ["id": .string(id), "items": [], "status": .string(status)]]
  }

  /// A turn with its own message and these items.
  private func machine(_ items: JSONObject...) -> ChatMachine {
    var machine = ChatMachine(chatID: "c")
    _ = machine.receive("turn/started", turn("t1", "inProgress"))
    for item in [["id": "u1", "type": "userMessage"]] + items {
      _ = machine.receive("item/started", notification(item))
      _ = machine.receive("item/completed", notification(item))
    }
    return machine
  }

  private let text: JSONObject = ["id": "m", "type": "agentMessage", "text": "Done."]

  @Test func anotherTurnAnswersIt() {
    var machine = machine(text, message)
    let end = turn("t1", "completed")
    #expect(
      machine.receive("turn/completed", end) == [
        .publish(ChatEvent(.turnCompleted, end.merging(["continues": true]) { $1 })), .continueTurn,
      ])
    #expect(machine.awaitsContinuation)
    machine.sent(requestID: nil, Chat.Receipt(turnID: "t2", mode: .started))
    #expect(!machine.awaitsContinuation)
    _ = machine.receive("turn/started", turn("t2", "inProgress"))
    let second = turn("t2", "completed")
    #expect(machine.receive("turn/completed", second) == [.publish(ChatEvent(.turnCompleted, second))])
  }

  @Test(arguments: ["interrupted", "failed"])
  func aTurnThatDidNotEndWellIsNotContinued(status: String) {
    var machine = machine(text, message)
    #expect(
      machine.receive("turn/completed", turn("t1", status)) == [.publish(ChatEvent(.turnCompleted, turn("t1", status)))]
    )
  }

  /// The model may answer a turn's own message with nothing, and what was said behind a steer is its answer.
  @Test func whatHasAnAnswerIsNotContinued() {
    var (silent, answered) = (machine(), machine(message, text))
    let end = turn("t1", "completed")
    #expect(silent.receive("turn/completed", end) == [.publish(ChatEvent(.turnCompleted, end))])
    #expect(answered.receive("turn/completed", end) == [.publish(ChatEvent(.turnCompleted, end))])
  }

  @Test func aContinuationThatFailsIsReportedOnce() {
    var machine = machine(text, message)
    _ = machine.receive("turn/completed", turn("t1", "completed"))
    #expect(machine.continuationFailed("why") == [.publish(ChatEvent(failure: "why", of: "t1", in: "c"))])
    #expect(machine.continuationFailed("why").isEmpty && !machine.awaitsContinuation)
  }

  @Test func aChatIsContinuedAfterARestart() {
    var machine = machine(text, message)
    let effects = machine.receive("turn/completed", turn("t1", "completed"))
    func restored() -> ChatMachine {
      var restored = ChatMachine(chatID: "c")
      for case .publish(let event) in effects { restored.restore(event) }
      return restored
    }
    var (same, other, ended) = (restored(), restored(), restored())
    func known(_ id: String) -> ChatMachine.KnownTurn? {
      ChatMachine.KnownTurn(["id": .string(id), "status": "completed"])
    }
    #expect(same.rejoined(known("t1"), waitsForApproval: false) == [.continueTurn])
    let reason = "Another turn came in between."
    #expect(
      other.rejoined(known("t2"), waitsForApproval: false) == [.publish(ChatEvent(failure: reason, of: "t1", in: "c"))])
    #expect(ended.codexEnded(reason: "gone") == [.publish(ChatEvent(failure: "gone", of: "t1", in: "c"))])
  }

  /// The turn's end was missed, and is in codex's list of turns.
  @Test func aTurnThatEndedInAGapIsContinued() {
    var machine = machine(text)
    machine.connectionLost()
    let turn: JSONObject = [
      "id": "t1", "status": "completed",
      "items": [["id": "u1", "type": "userMessage"], .object(text), .object(message)],
    ]
    let effects = machine.rejoined(ChatMachine.KnownTurn(turn), waitsForApproval: false)
    #expect(effects.last == .continueTurn)
    #expect(machine.receipt(ofRequest: "r2") == Chat.Receipt(turnID: "t1", mode: .steered))
  }
}
