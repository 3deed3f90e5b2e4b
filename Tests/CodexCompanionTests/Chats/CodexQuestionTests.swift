import ResolveKitCore
import Testing

@testable import CodexCompanion

/// Questions of codex and the replies in the shapes that 0.163.0 takes.
struct CodexQuestionTests {
  private func request(
    _ method: String, _ params: JSONObject, item: JSONObject? = nil
  ) throws -> ApprovalRequest {
    let members = params.merging(["threadId": "c", "turnId": "t"]) { own, _ in own }
    let question = try #require(CodexQuestion(requestID: 1, method, members))
    return question.request(item: item, at: 9, session: true, always: true)
  }

  @Test func theNoticeOfAQuestionSteersNoTerminal() throws {
    let command = "touch x\u{1B}]0;mine\u{7}\u{9B}2J\n'phone' at 192.0.2.1 asks to be paired\u{202E}"
    let asked: [JSONObject] = [
      ["command": .string(command)], ["command": .string(String(repeating: "y", count: 9_000))],
    ]
    let unseen: Set<Unicode.GeneralCategory> = [.control, .format]
    for params in asked {
      let notice = try request("item/commandExecution/requestApproval", params).notice
      #expect(notice.hasPrefix("Command Approval: "))
      #expect(notice.count <= 220)
      #expect(notice.unicodeScalars.allSatisfy { !unseen.contains($0.properties.generalCategory) })
    }
  }

  @Test func eachKindIsAnsweredInItsShape() throws {
    let permissions: JSONValue = ["network": ["enabled": true]]
    let cases: [(ApprovalRequest, yes: JSONValue, no: JSONValue)] = [
      (
        try request("item/commandExecution/requestApproval", ["command": "ls"]), ["decision": "accept"],
        ["decision": "decline"]
      ),
      (try request("item/fileChange/requestApproval", [:]), ["decision": "accept"], ["decision": "decline"]),
      (
        try request("item/permissions/requestApproval", ["permissions": permissions]),
        ["permissions": permissions, "scope": "turn"], ["permissions": [:]]
      ),
      (
        try request("mcpServer/elicitation/request", ["_meta": ["codex_approval_kind": "mcp_tool_call"]]),
        ["action": "accept", "content": [:]], ["action": "decline", "content": nil]
      ),
      (
        try request("mcpServer/elicitation/request", ["mode": "url"]), ["action": "accept", "content": [:]],
        ["action": "decline", "content": nil]
      ),
    ]
    for (request, yes, no) in cases {
      #expect(try request.answer(.approve, content: nil) == yes, "\(request.form)")
      #expect(try request.answer(.decline, content: nil) == no, "\(request.form)")
      if request.form == .elicitation {
        #expect(try request.answer(.cancel, content: nil) == ["action": "cancel", "content": nil])
      } else {
        #expect(throws: ChatError.self, "\(request.form)") { try request.answer(.cancel, content: nil) }
      }
      // What is stored for a restart is the whole request.
      #expect(ApprovalRequest(json: request.json) == request)
    }
  }

  @Test func aFormThatNeedsAnswersIsNotAcceptedWithout() throws {
    let form = try request("mcpServer/elicitation/request", ["requestedSchema": ["required": ["colour"]]])
    #expect(throws: ChatError.self) { try form.answer(.approve, content: nil) }
    #expect(
      try form.answer(.approve, content: ["colour": "red"]) == ["action": "accept", "content": ["colour": "red"]])
  }

  @Test func aWayToAskThatIsNotKnownIsDeclinedOrCancelled() throws {
    let other = try request("mcpServer/elicitation/request", ["mode": "openai/form"])
    #expect(throws: ChatError.self) { try other.answer(.approve, content: ["a": 1]) }
    #expect(try other.answer(.decline, content: nil) == ["action": "decline", "content": nil])
    #expect(try other.answer(.cancel, content: nil) == ["action": "cancel", "content": nil])
  }

  @Test func theToolIsThatOfTheRunningCall() throws {
    let meta: JSONObject = [
      "_meta": ["codex_approval_kind": "mcp_tool_call", "tool_params": ["x": 1]], "serverName": "s",
    ]
    let named = try request("mcpServer/elicitation/request", meta, item: ["type": "mcpToolCall", "tool": "poke"])
    #expect(named.toolName == "poke" && named.serverName == "s" && named.details["arguments"] == ["x": 1])
    let question = try #require(
      CodexQuestion(requestID: 1, "mcpServer/elicitation/request", meta.merging(["threadId": "c"]) { own, _ in own }))
    // Without the tool's name, or its definition, nothing is allowed beyond this question.
    #expect(question.subject(item: nil, definition: ["name": "poke"]).scope == nil)
    #expect(question.subject(item: ["tool": "poke"], definition: nil).scope == nil)
    let first = question.subject(item: ["tool": "poke"], definition: ["name": "poke"]).scope
    let other = question.subject(item: ["tool": "poke"], definition: ["name": "poke", "description": "more"]).scope
    #expect(first != nil && first != other)
  }

  @Test func theSameQuestionHasTheSameIdAndAnotherHasAnother() throws {
    func id(_ requestID: JSONValue, _ turnID: String) throws -> String {
      let params: JSONObject = ["threadId": "c", "turnId": .string(turnID)]
      return try #require(CodexQuestion(requestID: requestID, "item/fileChange/requestApproval", params)).approvalID
    }
    #expect(try id(0, "t") == id(0, "t"))
    #expect(try Set([id(0, "t"), id(1, "t"), id("0", "t"), id(0, "u")]).count == 4)
    #expect(try id(0, "t").split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
  }

  @Test(arguments: ["item/tool/call", "account/chatgptAuthTokens/refresh", "item/tool/requestUserInput", "new/thing"])
  func whatNobodyCanAnswerIsNoQuestion(method: String) {
    #expect(CodexQuestion(requestID: 1, method, ["threadId": "c"]) == nil)
    #expect(CodexQuestion(requestID: 1, "item/fileChange/requestApproval", [:]) == nil)
  }
}
