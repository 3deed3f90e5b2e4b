import CodexAppServer
import ResolveKitCore
import Testing

struct AppServerRequestTests {
  private static func request(_ method: String, _ params: String) throws -> AppServerRequest {
    AppServerRequest(id: .integer(0), method: method, params: try JSONValue(parsing: params))
  }

  /// Notifications and requests as codex 0.163.0 sent them, shortened.
  @Test(arguments: [
    (
      "item/commandExecution/requestApproval", #"{"threadId":"t","itemId":"call_1","command":"ls","cwd":"/w"}"#,
      AppServerRequest.Kind.commandApproval
    ),
    ("item/fileChange/requestApproval", #"{"itemId":"i","reason":null,"grantRoot":null}"#, .fileChangeApproval),
    (
      "item/permissions/requestApproval", #"{"itemId":"i","permissions":{"network":{"enabled":true}}}"#,
      .permissionsApproval
    ),
    (
      "mcpServer/elicitation/request", #"{"threadId":"t","turnId":null,"serverName":"tiny","mode":"url","url":"u"}"#,
      .elicitation
    ),
    ("item/tool/call", #"{"callId":"c","namespace":null,"tool":"t","arguments":{}}"#, .toolCall),
    ("currentTime/read", #"{"threadId":"t"}"#, .currentTime),
    ("execCommandApproval", #"{"conversationId":"t","callId":"c","command":["ls","-l"]}"#, .legacyApproval),
    ("applyPatchApproval", #"{"conversationId":"t","fileChanges":{}}"#, .legacyApproval),
  ])
  func whatCanBeAnsweredIsRead(method: String, params: String, kind: AppServerRequest.Kind) throws {
    let request = try Self.request(method, params)
    #expect(request.kind == kind && request.isAnswerable)
  }

  @Test(arguments: ["null", "[]", "{}", #"{"itemId":0,"permissions":null}"#, #"{"command":[1],"serverName":"s"}"#])
  func nothingIsAskedOfAPersonThatCannotBeRead(params: String) throws {
    for method in [
      "item/commandExecution/requestApproval", "item/fileChange/requestApproval", "mcpServer/elicitation/request",
      "item/tool/call", "execCommandApproval",
    ] {
      let request = try Self.request(method, params)
      #expect(request.kind == .unreadable && !request.isAnswerable)
    }
    #expect(try Self.request("new/request", params).kind == .unknown)
    #expect(try !Self.request("new/request", params).isAnswerable)
  }

  @Test func whatNobodyAnswersHereIsRefused() throws {
    for method in ["item/tool/requestUserInput", "account/chatgptAuthTokens/refresh", "attestation/generate"] {
      let request = try Self.request(method, #"{"questions":[]}"#)
      #expect(request.kind == .unserved && !request.isAnswerable)
    }
  }
}
