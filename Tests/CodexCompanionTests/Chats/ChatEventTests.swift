import CodexAppServer
import EventLedger
import ResolveKitCore
import Testing

@testable import CodexCompanion

struct ChatEventTests {
  @Test(arguments: ChatEvent.Name.allCases)
  func anEventIsReadBackFromTheLedger(name: ChatEvent.Name) throws {
    let event = ChatEvent(name, ["threadId": "c", "n": 5])
    let draft = event.draft(chatID: "c", at: WallTime(microseconds: 1_795_613_599_942_000))
    let frame = try #require(try JSONValue(parsing: draft.payload).objectValue)
    #expect(draft.type == name.rawValue && frame["event"] == .string(name.rawValue))
    #expect(frame["timestamp"] == 1_795_613_599_942 && frame["chatId"] == "c")
    let stored = LedgerEvent(
      sequence: 1, fence: 1, time: WallTime(microseconds: 0), type: draft.type, payload: draft.payload)
    #expect(ChatEvent(stored) == event)
  }

  @Test func anEventOfALaterVersionIsPassedOver() {
    for (type, payload) in [("new_event", "{}"), ("error", "no json"), ("error", "[]"), ("error", "{}")] {
      let event = LedgerEvent(
        sequence: 1, fence: 1, time: WallTime(microseconds: 0), type: type, payload: Array(payload.utf8))
      #expect(ChatEvent(event) == nil)
    }
  }

  /// A picture comes back from codex as a line of many megabytes.
  @Test func aPayloadBeyondTheLedgersLimitIsCutAndFits() throws {
    let picture = String(repeating: "A", count: 8 << 20)
    let large: [JSONObject] = [
      ["item": ["content": [["type": "image", "url": .string(picture)]]], "turnId": "t"],
      ["item": ["list": .array(Array(repeating: .string(String(repeating: "b", count: 3_000)), count: 2_000))]],
      ["many": .array(Array(repeating: .number(1), count: 900_000)), "turnId": "t"],
    ]
    for payload in large {
      let draft = ChatEvent(.itemCompleted, payload).draft(chatID: "c", at: WallTime(microseconds: 0))
      #expect(draft.payload.count <= LedgerLimits.payloadBytes)
      let frame = try JSONValue(parsing: draft.payload).objectValue
      #expect(frame?["payload"]?.objectValue?["turnId"] == payload["turnId"])
    }
    let text = String(repeating: "c", count: 200_000)
    #expect(PayloadFit.fit(["delta": .string(text)], toBytes: 1 << 20)["delta"] == .string(text))
  }
}
