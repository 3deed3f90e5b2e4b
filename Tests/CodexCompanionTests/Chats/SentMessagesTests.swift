import ResolveKitCore
import Testing

@testable import CodexCompanion

@Suite struct SentMessagesTests {
  private func item(_ clientID: String?) -> JSONObject {
    var item: JSONObject = ["type": "userMessage", "id": "i"]
    item["clientId"] = clientID.map { .string($0) }
    return item
  }

  /// Messages as they come from the log after a restart: each item twice, at its start and at its end.
  @Test func theFirstMessageOfATurnBeganItAndTheOthersSteeredIt() {
    var sent = SentMessages()
    for (turn, client) in [("t1", "a"), ("t1", nil), ("t1", "b"), ("t2", nil), ("t2", "c"), ("t3", "d")] {
      for _ in 0..<2 { sent.note(item(client), turnID: turn) }
    }
    #expect(sent["a"] == Chat.Receipt(turnID: "t1", mode: .started))
    #expect(sent["b"] == Chat.Receipt(turnID: "t1", mode: .steered))
    #expect(sent["c"] == Chat.Receipt(turnID: "t2", mode: .steered))
    #expect(sent["d"] == Chat.Receipt(turnID: "t3", mode: .started))
  }

  @Test func theFirstAnswerStays() {
    var sent = SentMessages()
    sent.take("a", Chat.Receipt(turnID: "t1", mode: .steered))
    sent.take("a", Chat.Receipt(turnID: "t2", mode: .started))
    sent.note(item("a"), turnID: "t3")
    #expect(sent["a"] == Chat.Receipt(turnID: "t1", mode: .steered))
  }

  @Test func theyAreBounded() {
    var sent = SentMessages()
    for number in 0..<5_000 { sent.take("\(number)", Chat.Receipt(turnID: "t", mode: .started)) }
    #expect(sent["0"] == nil && sent["3975"] == nil && sent["3976"] != nil && sent["4999"] != nil)
  }
}
