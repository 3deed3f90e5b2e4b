import HTTPTypes
import ResolveKitCore
import Testing

@testable import CodexCompanion

struct MessageInputTests {
  private func input(_ members: JSONObject) throws -> MessageInput { try MessageInput(JSONInput(members)) }

  @Test func aMessageBecomesCodexsInput() throws {
    let message = try input([
      "text": "look", "request_id": "r",
      "attachments": [
        ["type": "image", "name": "a.png", "mimeType": "image/png", "dataUrl": "data:image/png;base64,AA=="],
        ["type": "text_file", "name": "a.txt", "mimeType": "text/plain", "text": "hello"],
      ],
    ])
    #expect(message.requestID == "r")
    #expect(
      message.items == [
        ["type": "text", "text": "look"], ["type": "image", "url": "data:image/png;base64,AA=="],
        ["type": "text", "text": "File a.txt:\nhello"],
      ])
  }

  @Test func whatIsNoMessageIsRefusedWithASentence() {
    let refused: [JSONObject] = [
      [:], ["text": ""], ["text": " \n"], ["text": 5], ["text": []], ["attachments": []],
      ["attachments": [["type": "image", "dataUrl": "https://evil.test/x.png"]]],
      ["attachments": [["type": "image", "dataUrl": "file:///etc/passwd"]]],
      ["attachments": [["type": "localImage", "path": "/etc/passwd"]]], ["attachments": [5]],
      ["attachments": [["type": "text_file", "name": "a"]]],
      ["attachments": .array(Array(repeating: ["type": "text_file", "text": "x"], count: 17))],
      ["text": "x", "request_id": .string(String(repeating: "r", count: 256))],
      ["text": .string(String(repeating: "x", count: MessageInput.textLimit + 1))],
    ]
    for members in refused {
      let error = #expect(throws: CompanionError.self) { try input(members) }
      #expect(error?.status == .badRequest && error?.message.isEmpty == false)
    }
  }
}
