import ResolveKitCore

@testable import CodexRemoteClient

/// Events as a companion sends them.
enum Frames {
  static func frame(_ event: String, _ payload: JSONValue) -> String {
    JSONValue.object(["event": .string(event), "chatId": "c", "payload": payload, "timestamp": 1]).jsonText
  }

  static func turnStarted(_ id: String) -> String {
    frame("turn_started", ["threadId": "c", "turn": ["id": .string(id)]])
  }

  static func turnCompleted(_ id: String, status: String = "completed", continues: Bool? = nil) -> String {
    var payload: JSONObject = ["threadId": "c", "turn": ["id": .string(id), "status": .string(status)]]
    payload["continues"] = continues.map { .bool($0) }
    return frame("turn_completed", .object(payload))
  }

  static func delta(_ turn: String, _ item: String, _ text: String) -> String {
    frame("message_delta", ["turnId": .string(turn), "itemId": .string(item), "delta": .string(text)])
  }

  static func message(_ turn: String, _ item: String, _ text: String, event: String = "item_completed") -> String {
    frame(
      event, ["turnId": .string(turn), "item": ["id": .string(item), "type": "agentMessage", "text": .string(text)]])
  }

  static func person(_ turn: String, _ item: String, _ text: String, request: String? = nil) -> String {
    var members: JSONObject = [
      "id": .string(item), "type": "userMessage", "content": [["type": "text", "text": .string(text)]],
    ]
    members["clientId"] = request.map { .string($0) }
    return frame("item_completed", ["turnId": .string(turn), "item": .object(members)])
  }

  static func command(_ turn: String, _ item: String, _ line: String, event: String, status: String) -> String {
    frame(
      event,
      [
        "turnId": .string(turn),
        "item": [
          "id": .string(item), "type": "commandExecution", "command": .string(line), "cwd": "/w",
          "status": .string(status),
        ],
      ])
  }

  static func approvalPayload(_ id: String, session: Bool = true, always: Bool = false) -> JSONObject {
    [
      "id": .string(id), "form": "command", "title": "Command Approval", "summary": "touch \(id)", "chatId": "c",
      "consequence": "It runs.", "supportsSessionAllow": .bool(session), "supportsAlwaysAllow": .bool(always),
      "details": ["command": .string("touch \(id)"), "cwd": "/w"], "requestId": 0, "createdAt": 1,
    ]
  }

  static func approval(_ id: String) -> String { frame("approval_required", .object(approvalPayload(id))) }

  static func cleared(_ ids: String...) -> String {
    frame("approval_cleared", ["ids": .array(ids.map { .string($0) }), "reason": "It was answered."])
  }

  static func timeline(
    cursor: Int, turn: String? = nil, messages: [JSONValue] = [], older: Int? = nil
  ) -> String {
    JSONValue.object([
      "data": [
        "messages": .array(messages), "activities": [], "olderCursor": older.map { .number(Double($0)) } ?? .null,
        "streamCursor": .number(Double(cursor)),
        "streamTurnId": turn.map { .string($0) } ?? .null,
      ]
    ]).jsonText
  }

  static func said(_ role: String, _ text: String, turn: String, line: Int) -> JSONValue {
    [
      "id": .string("c:\(role):\(line)"), "role": .string(role), "text": .string(text),
      "createdAt": .number(Double(line)),
      "turnId": .string(turn),
    ]
  }

  static func decodedTimeline(
    cursor: Int, turn: String? = nil, messages: [JSONValue] = [], older: Int? = nil
  ) throws -> RemoteTimeline {
    struct Answer: Decodable { let data: RemoteTimeline }
    return try ResolveKitJSON.decode(
      Answer.self, from: Array(timeline(cursor: cursor, turn: turn, messages: messages, older: older).utf8)
    ).data
  }
}
