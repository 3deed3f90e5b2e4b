import CodexAppServer
import ResolveKitCore
import Testing

struct AppServerRequestTests {
  private static func request(_ method: String, _ params: String) throws -> AppServerRequest {
    AppServerRequest(id: .integer(0), method: method, params: try JSONValue(parsing: params))
  }

  @Test func aCommandsApprovalIsRead() throws {
    let request = try Self.request(
      "item/commandExecution/requestApproval",
      #"""
      {"kind":"command","threadId":"t","turnId":"u","itemId":"call_1","startedAtMs":1,"environmentId":"local",
      "reason":"why","command":"/bin/bash -lc 'mkdir d'","cwd":"/w","commandActions":[],
      "proposedExecpolicyAmendment":["mkdir","d"],"networkApprovalContext":null,
      "availableDecisions":["accept",{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["mkdir","d"]}},"cancel"]}
      """#)
    guard case .commandApproval(let approval) = request.kind else {
      Issue.record("\(request.kind)")
      return
    }
    #expect(approval.command == "/bin/bash -lc 'mkdir d'" && approval.directory == "/w" && approval.reason == "why")
    #expect(approval.proposedPrefix == ["mkdir", "d"] && approval.network == .none && approval.approvalID == nil)
    #expect(approval.availableDecisions.count == 3)
    #expect(request.threadID == "t" && request.turnID == "u" && request.itemID == "call_1")
  }

  @Test func aToolsApprovalAndAServersQuestionAreToldApart() throws {
    let approval = try Self.request(
      "mcpServer/elicitation/request",
      #"""
      {"threadId":"t","turnId":"u","serverName":"tiny","mode":"form","_meta":{"codex_approval_kind":"mcp_tool_call",
      "persist":["session","always"],"tool_description":"d","tool_params":{"a":1}},"message":"Allow?",
      "requestedSchema":{"type":"object","properties":{}}}
      """#)
    guard case .elicitation(let tool) = approval.kind else {
      Issue.record("\(approval.kind)")
      return
    }
    #expect(tool.serverName == "tiny" && tool.toolApproval?.offeredPersistence == ["session", "always"])
    #expect(tool.toolApproval?.arguments == ["a": 1])
    let question = try Self.request(
      "mcpServer/elicitation/request",
      #"{"threadId":"t","turnId":null,"serverName":"tiny","mode":"url","_meta":null,"message":"m","url":"http://u","elicitationId":"e"}"#
    )
    guard case .elicitation(let url) = question.kind else {
      Issue.record("\(question.kind)")
      return
    }
    #expect(url.toolApproval == nil && url.mode == .url("http://u", id: "e") && question.turnID == nil)
  }

  @Test func otherRequestsAreRead() throws {
    #expect(
      try Self.request("item/fileChange/requestApproval", #"{"itemId":"i","reason":null,"grantRoot":null}"#).kind
        == .fileChangeApproval(reason: nil))
    #expect(
      try Self.request(
        "item/permissions/requestApproval", #"{"itemId":"i","permissions":{"network":{"enabled":true}}}"#
      ).kind
        == .permissionsApproval(permissions: ["network": ["enabled": true]], reason: nil))
    #expect(
      try Self.request("item/tool/requestUserInput", #"{"itemId":"i","questions":[{"id":"q"}]}"#).kind
        == .userInput(questions: [["id": "q"]]))
    #expect(
      try Self.request("item/tool/call", #"{"callId":"c","namespace":null,"tool":"t","arguments":{}}"#).kind
        == .toolCall(callID: "c", namespace: nil, tool: "t", arguments: [:]))
    #expect(try Self.request("currentTime/read", #"{"threadId":"t"}"#).kind == .currentTime)
    let legacy = try Self.request("execCommandApproval", #"{"conversationId":"t","callId":"c","command":["ls","-l"]}"#)
    #expect(legacy.kind == .legacyCommandApproval(command: ["ls", "-l"]) && legacy.threadID == "t")
    #expect(
      try Self.request("applyPatchApproval", #"{"conversationId":"t","fileChanges":{}}"#).kind
        == .legacyFileChangeApproval(changes: [:]))
  }

  @Test(arguments: ["null", "[]", "{}", #"{"itemId":0,"permissions":null}"#])
  func nothingIsAskedOfAPersonThatCannotBeRead(params: String) throws {
    for method in [
      "item/commandExecution/requestApproval", "item/fileChange/requestApproval", "mcpServer/elicitation/request",
      "item/tool/call", "execCommandApproval",
    ] {
      let request = try Self.request(method, params)
      #expect(request.kind == .unreadable && !request.isAnswerable)
    }
    #expect(try !Self.request("new/request", params).isAnswerable)
  }

  @Test func repliesHaveTheShapeThatCodexTakes() {
    let table: [(any AppServerReply, String)] = [
      (AppServerCommandDecision.accept, #"{"decision":"accept"}"#),
      (AppServerCommandDecision.acceptForSession, #"{"decision":"acceptForSession"}"#),
      (
        AppServerCommandDecision.acceptWithPrefix(["mkdir"]),
        #"{"decision":{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["mkdir"]}}}"#
      ),
      (
        AppServerCommandDecision.applyNetworkRule(host: "h", isAllowed: false),
        #"{"decision":{"applyNetworkPolicyAmendment":{"network_policy_amendment":{"action":"deny","host":"h"}}}}"#
      ),
      (AppServerCommandDecision.decline, #"{"decision":"decline"}"#),
      (AppServerCommandDecision.cancel, #"{"decision":"cancel"}"#),
      (AppServerFileChangeDecision.acceptForSession, #"{"decision":"acceptForSession"}"#),
      (AppServerFileChangeDecision.cancel, #"{"decision":"cancel"}"#),
      (
        AppServerPermissionsDecision.grant(["network": ["enabled": true]], .turn),
        #"{"permissions":{"network":{"enabled":true}},"scope":"turn"}"#
      ),
      (AppServerPermissionsDecision.deny, #"{"permissions":{}}"#),
      (AppServerElicitationReply.accept(), #"{"action":"accept","content":{}}"#),
      (
        AppServerElicitationReply.accept(persistence: .always),
        #"{"_meta":{"persist":"always"},"action":"accept","content":{}}"#
      ),
      (AppServerElicitationReply.decline, #"{"action":"decline","content":null}"#),
      (AppServerUserInputReply(["q1": ["A"]]), #"{"answers":{"q1":{"answers":["A"]}}}"#),
      (AppServerToolReply("x", isSuccess: true), #"{"contentItems":[{"text":"x","type":"inputText"}],"success":true}"#),
      (AppServerTimeReply(seconds: 1_795_449_876), #"{"currentTimeAt":1795449876}"#),
      (AppServerLegacyDecision.approvedForSession, #"{"decision":"approved_for_session"}"#),
      (AppServerLegacyDecision.denied("no"), #"{"decision":{"denied":{"rejection":"no"}}}"#),
      (AppServerLegacyDecision.abort, #"{"decision":"abort"}"#),
    ]
    for (reply, text) in table { #expect(reply.result.jsonText == text) }
  }
}
