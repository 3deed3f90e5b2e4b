import CodexAppServer
import ResolveKitCore
import Testing

struct AppServerNotificationTests {
  private static func kind(_ method: String, _ params: String) throws -> AppServerNotification.Kind {
    AppServerNotification(method: method, params: try JSONValue(parsing: params)).kind
  }

  /// As codex 0.163.0 sent them, shortened.
  @Test func whatACompanionShowsIsRead() throws {
    let item: JSONValue = ["type": "agentMessage", "id": "m1", "text": "", "phase": "commentary"]
    let read = try #require(AppServerItem(item))
    let table: [(String, String, AppServerNotification.Kind)] = [
      ("thread/started", #"{"thread":{"id":"t"}}"#, .threadStarted(thread: ["id": "t"])),
      (
        "thread/status/changed", #"{"threadId":"t","status":{"type":"active","activeFlags":["waitingOnApproval"]}}"#,
        .threadStatusChanged(.active(flags: ["waitingOnApproval"]))
      ),
      ("thread/status/changed", #"{"threadId":"t","status":{"type":"idle"}}"#, .threadStatusChanged(.idle)),
      ("thread/status/changed", #"{"threadId":"t","status":{"type":"odd"}}"#, .threadStatusChanged(.other("odd"))),
      ("thread/closed", #"{"threadId":"t"}"#, .threadClosed),
      ("turn/started", #"{"threadId":"t","turn":{"id":"u"}}"#, .turnStarted),
      (
        "turn/completed", #"{"threadId":"t","turn":{"id":"u","status":"completed","error":null}}"#,
        .turnCompleted(.completed)
      ),
      ("turn/completed", #"{"threadId":"t","turn":{"id":"u","status":"interrupted"}}"#, .turnCompleted(.interrupted)),
      (
        "turn/completed", #"{"threadId":"t","turn":{"id":"u","status":"failed","error":{"message":"m"}}}"#,
        .turnCompleted(.failed(message: "m"))
      ),
      ("item/started", #"{"threadId":"t","turnId":"u","item":\#(item.jsonText),"startedAtMs":1}"#, .itemStarted(read)),
      ("item/completed", #"{"threadId":"t","turnId":"u","item":\#(item.jsonText)}"#, .itemCompleted(read)),
      ("item/agentMessage/delta", #"{"itemId":"m1","delta":"I "}"#, .agentMessageDelta(itemID: "m1", delta: "I ")),
      (
        "item/commandExecution/outputDelta", #"{"itemId":"c","delta":"ho\n"}"#,
        .commandOutputDelta(itemID: "c", delta: "ho\n")
      ),
      (
        "item/reasoning/summaryTextDelta", #"{"itemId":"r","delta":"x","summaryIndex":2}"#,
        .reasoningSummaryDelta(itemID: "r", index: 2, delta: "x")
      ),
      (
        "item/reasoning/textDelta", #"{"itemId":"r","delta":"x","contentIndex":0}"#,
        .reasoningTextDelta(itemID: "r", index: 0, delta: "x")
      ),
      ("serverRequest/resolved", #"{"threadId":"t","requestId":0}"#, .requestResolved(.integer(0))),
      ("serverRequest/resolved", #"{"threadId":"t","requestId":"0"}"#, .requestResolved(.string("0"))),
      (
        "error", #"{"error":{"message":"Reconnecting... 1/2"},"willRetry":true,"threadId":"t","turnId":"u"}"#,
        .error(message: "Reconnecting... 1/2", willRetry: true)
      ),
      ("warning", #"{"threadId":"t","message":"m"}"#, .warning(message: "m")),
      ("configWarning", #"{"summary":"s","details":"d"}"#, .configWarning(summary: "s")),
      ("remoteControl/status/changed", #"{"status":"disabled"}"#, .known),
      ("codex/event", "{}", .unknown),
    ]
    for (method, params, kind) in table {
      #expect(try Self.kind(method, params) == kind, "\(method) \(params)")
    }
  }

  @Test(arguments: [
    "null", "[]", "3", "{}", #"{"itemId":1,"delta":2}"#, #"{"item":{"id":1,"type":"x"}}"#, #"{"turn":{"status":7}}"#,
    #"{"status":"idle"}"#, #"{"summaryIndex":1e300,"itemId":"i"}"#, #"{"requestId":0.5}"#,
    #"{"error":"text","willRetry":true}"#, #"{"contentIndex":0.5,"delta":"d"}"#,
  ])
  func whatLacksItsMembersIsUnreadable(params: String) throws {
    let methods = [
      "thread/started", "thread/status/changed", "turn/started", "turn/completed", "item/started", "item/completed",
      "item/agentMessage/delta", "item/reasoning/summaryTextDelta", "item/reasoning/textDelta",
      "serverRequest/resolved",
      "error", "warning", "configWarning", "thread/closed",
    ]
    for method in methods { #expect(try Self.kind(method, params) == .unreadable, "\(method)") }
  }

  @Test func threadAndTurnAreFoundWhereverTheyStand() throws {
    let flat = AppServerNotification(method: "item/started", params: ["threadId": "t", "turnId": "u"])
    #expect(flat.threadID == "t" && flat.turnID == "u")
    let nested = AppServerNotification(method: "turn/completed", params: ["threadId": "t", "turn": ["id": "u"]])
    #expect(nested.threadID == "t" && nested.turnID == "u")
    let thread = AppServerNotification(method: "thread/started", params: ["thread": ["id": "t"]])
    #expect(thread.threadID == "t" && thread.turnID == nil)
  }
}
