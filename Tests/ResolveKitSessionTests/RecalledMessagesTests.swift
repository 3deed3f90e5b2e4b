import ResolveKitCore
import Testing

@testable import ResolveKitSession

@Suite
struct RecalledMessagesTests {
  private func messages(_ count: Int, of length: Int) -> [ResolveKitChatMessage] {
    (0..<count).map {
      ResolveKitChatMessage(id: "\($0)", role: .user, text: "\($0) " + String(repeating: "é", count: length))
    }
  }

  @Test(arguments: [0, 1, 100, 1999, 5000])
  func theNewestAreSentThatTheContractLeavesRoomFor(length: Int) throws {
    let recalled = RecalledMessages(messages(200, of: length))
    let own: JSONObject = ["app": .string(String(repeating: "x", count: 700))]
    let context = recalled.added(to: own)
    #expect(JSONValue.object(context).jsonText.utf8.count <= 8192)
    #expect(context["app"] == own["app"])
    let sent = try #require(context[RecalledMessages.member]?.arrayValue)
    #expect(!sent.isEmpty && sent.count == recalled.count(beside: own))
    #expect(sent.last?.objectValue?["text"]?.stringValue?.hasPrefix("199 ") == true)
  }

  @Test func theAppsContextStaysAsItIs() {
    let recalled = RecalledMessages(messages(3, of: 10))
    let own: JSONObject = [RecalledMessages.member: "own"]
    #expect(recalled.added(to: own) == own)
    let full: JSONObject = ["app": .string(String(repeating: "x", count: 8170))]
    #expect(recalled.added(to: full) == full)
    let many = JSONObject(uniqueKeysWithValues: (0..<50).map { ("\($0)", JSONValue.null) })
    #expect(recalled.added(to: many) == many)
  }
}
