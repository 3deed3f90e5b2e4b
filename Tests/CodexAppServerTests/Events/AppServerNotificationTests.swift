import CodexAppServer
import ResolveKitCore
import Testing

struct AppServerNotificationTests {
  private static func kind(_ method: String, _ params: String) throws -> AppServerNotification.Kind {
    AppServerNotification(method: method, params: try JSONValue(parsing: params)).kind
  }

  /// Notifications and requests as codex 0.163.0 sent them, shortened.
  @Test(arguments: [
    ("thread/closed", #"{"threadId":"t"}"#),
    ("turn/started", #"{"threadId":"t","turn":{"id":"u"}}"#),
    ("turn/completed", #"{"threadId":"t","turn":{"id":"u","status":"completed","error":null}}"#),
    (
      "item/started",
      #"{"threadId":"t","turnId":"u","item":{"type":"agentMessage","id":"m1","text":""},"startedAtMs":1}"#
    ),
    ("item/completed", #"{"threadId":"t","turnId":"u","item":{"type":"odd","id":"m1"}}"#),
    ("item/agentMessage/delta", #"{"threadId":"t","turnId":"u","itemId":"m1","delta":"I "}"#),
    ("serverRequest/resolved", #"{"threadId":"t","requestId":0}"#),
    ("serverRequest/resolved", #"{"threadId":"t","requestId":"0"}"#),
    ("error", #"{"error":{"message":"Reconnecting... 1/2"},"willRetry":true,"threadId":"t","turnId":"u"}"#),
  ])
  func whatACompanionShowsIsRead(method: String, params: String) throws {
    #expect(try Self.kind(method, params) == .read)
  }

  @Test func theRestOfTheSchemaIsPassedOverAndAnythingElseUnknown() throws {
    for method in ["remoteControl/status/changed", "item/reasoning/textDelta", "warning", "thread/started"] {
      #expect(try Self.kind(method, "{}") == .passedOver)
    }
    for method in ["codex/event", "", "turn/started ", "Turn/started"] {
      #expect(try Self.kind(method, #"{"turn":{"id":"u"}}"#) == .unknown)
    }
  }

  @Test(arguments: [
    "null", "[]", "3", "{}", #"{"itemId":1,"delta":2}"#, #"{"item":{"id":1,"type":"x"}}"#, #"{"turn":{"status":7}}"#,
    #"{"turnId":"u","item":{"id":"i"}}"#, #"{"item":{"id":"i","type":"t"}}"#, #"{"requestId":0.5}"#,
    #"{"requestId":1e300}"#, #"{"error":"text","willRetry":true}"#, #"{"error":{"message":"m"},"willRetry":1}"#,
    #"{"itemId":"i","delta":"d"}"#,
  ])
  func whatLacksItsMembersIsUnreadable(params: String) throws {
    let methods = [
      "turn/started", "turn/completed", "item/started", "item/completed", "item/agentMessage/delta",
      "serverRequest/resolved", "error", "thread/closed",
    ]
    for method in methods { #expect(try Self.kind(method, params) == .unreadable, "\(method)") }
  }
}
