import Testing

@testable import ResolveKitCore

struct WireModelTests {
  private func text(_ model: some Encodable) throws -> String {
    String(decoding: try ResolveKitJSON.encode(model), as: UTF8.self)
  }

  @Test func requestsLeaveAbsentFieldsOut() throws {
    #expect(try text(SessionCreateRequest(availableFunctionNames: [])) == #"{"available_function_names":[]}"#)
    #expect(try text(MessageSendRequest(text: "hi", requestID: "r")) == #"{"request_id":"r","text":"hi"}"#)
    let result = ResolveKitToolResultPayload(
      turnID: "t", idempotencyKey: "c", callID: "c", status: .success, result: .null)
    #expect(
      try text(result) == #"{"call_id":"c","idempotency_key":"c","result":null,"status":"success","turn_id":"t"}"#)
    #expect(try text(ResolveKitClientContext(platform: "linux")) == #"{"platform":"linux"}"#)
    #expect(try text(ResolveKitAvailability(minOSVersion: "13")) == #"{"min_os_version":"13"}"#)
  }

  @Test func aSessionNeedsItsIdAndTokenOnly() throws {
    let short = Array(#"{"id":"s","chat_capability_token":"secret","locale":7,"new":[1]}"#.utf8)
    let session = try ResolveKitJSON.decode(ResolveKitSession.self, from: short)
    #expect(session.eventsURL == "/v1/sessions/s/events")
    #expect(!session.reusedActiveSession)
    #expect(session.locale == nil)
    #expect(!"\(session)".contains("secret") && !String(reflecting: session).contains("secret"))
    let error = #expect(throws: JSONError.self) {
      try ResolveKitJSON.decode(ResolveKitSession.self, from: Array(#"{"id":"s"}"#.utf8))
    }
    #expect(error?.message.contains("chat_capability_token is missing") == true)
  }

  @Test func anEnvelopeIsReadTolerantly() throws {
    let full = try ResolveKitEnvelope(
      parsing: #"{"event_id":2,"turn_id":"t","request_id":"","type":"x","payload":null,"more":[]}"#)
    #expect(full == ResolveKitEnvelope(eventID: "2", turnID: "t", requestID: nil, type: "x", payload: [:]))
    #expect(try ResolveKitEnvelope(parsing: "{}", fallbackType: "error").type == "error")
    for poison in ["[]", "1", "{}", #"{"type":"x","payload":[]}"#, "{", ""] {
      #expect(throws: JSONError.self) { try ResolveKitEnvelope(parsing: poison) }
    }
    #expect(try ResolveKitJSON.decode(ResolveKitEnvelope.self, from: full.json.serialized()) == full)
  }

  @Test(arguments: [("1e99", 30), ("0", 1), ("-5", 1), ("301", 300), ("\"45\"", 45), ("null", 30), ("12.9", 12)])
  func aCallsTimeoutIsClamped(text: String, seconds: Int) throws {
    let payload = try JSONValue(parsing: #"{"function_name":"f","call_id":"c","timeout_seconds":\#(text)}"#)
    #expect(ResolveKitToolCallRequest(payload: payload.objectValue ?? [:])?.timeoutSeconds == seconds)
  }

  @Test func aCallWithoutANameOrWithOtherArgumentsIsNone() {
    #expect(ResolveKitToolCallRequest(payload: ["call_id": "c"]) == nil)
    #expect(ResolveKitToolCallRequest(payload: ["function_name": "f", "arguments": [1]]) == nil)
  }

  @Test func errorsAreCutAtTheLimit() {
    func payload(_ error: String) -> ResolveKitToolResultPayload {
      ResolveKitToolResultPayload(turnID: "t", idempotencyKey: "k", callID: "c", status: .error, error: error)
    }
    #expect(payload(String(repeating: "é", count: 4096)).error?.unicodeScalars.count == 4096)
    let cut = payload(String(repeating: "e\u{301}", count: 4096)).error
    #expect(cut?.unicodeScalars.count == 4096)
    #expect(cut?.unicodeScalars.last == "…")
  }

  @Test(
    arguments: [
      ("1.4.2", nil), ("1.0", nil), ("1.0.0.1", nil), ("2.0.0", "SDK major version 2 is unsupported by server."),
      ("1", nil), ("", "SDK major version 0 is unsupported by server."),
    ] as [(String, String?)])
  func compatibility(version: String, objection: String?) {
    let answer = CompatibilityResponse(minimumSDKVersion: "1.0.0", supportedSDKMajorVersions: [1])
    #expect(answer.objection(toSDKVersion: version) == objection)
  }

  @Test func anOldVersionIsRefused() {
    let answer = CompatibilityResponse(minimumSDKVersion: "1.10.0", supportedSDKMajorVersions: [1])
    #expect(answer.objection(toSDKVersion: "1.9.9") == "SDK 1.9.9 is below minimum required 1.10.0.")
  }

  @Test func historyAndFunctionsAreReadTolerantly() throws {
    let history = #"[{"role":"user","content":"hi","sequence_number":1,"tool_calls":null},{"role":"x","content":null}]"#
    let messages = try ResolveKitJSON.decode([HistoryMessage].self, from: Array(history.utf8))
    #expect(messages.map(\.content) == ["hi", ""])
    let functions =
      #"[{"id":"1","name":"f","availability":{},"source":"new_kind","created_at":"2026-01-01T00:00:00Z"}]"#
    let registered = try ResolveKitJSON.decode([RegisteredFunction].self, from: Array(functions.utf8))
    #expect(registered.first?.source == "new_kind")
    let answer = try ResolveKitJSON.decode(ToolResultResponse.self, from: Array(#"{"status":"ok"}"#.utf8))
    #expect(!answer.deduplicated)
  }
}
