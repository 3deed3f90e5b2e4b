import CodexAppServer
import Crypto
import JSONService
package import ResolveKitCore

/// A server request of codex that a person decides on (tried on 0.163.0).
package struct CodexQuestion: Equatable, Sendable {
  let requestID: JSONValue
  let threadID: String
  let turnID: String?
  let itemID: String?
  private let form: ApprovalRequest.Form
  private let method: String
  private let params: JSONObject

  /// Nil where the request is none of these, or lacks its thread: it is refused then.
  package init?(requestID: JSONValue, _ method: String, _ params: JSONObject) {
    guard let threadID = params["threadId"]?.stringValue else { return nil }
    switch method {
    case "item/commandExecution/requestApproval": form = .command
    case "item/fileChange/requestApproval": form = .fileChange
    case "item/permissions/requestApproval": form = .permissions
    case "mcpServer/elicitation/request":
      let kind = params["_meta"]?.objectValue?["codex_approval_kind"]?.stringValue
      form = kind == "mcp_tool_call" ? .toolCall : .elicitation
    default: return nil
    }
    self.requestID = requestID
    self.threadID = threadID
    turnID = params["turnId"]?.stringValue
    itemID = params["itemId"]?.stringValue
    self.method = method
    self.params = params
  }

  /// The bytes of memory that it takes, about.
  var weight: Int { JSONValue.object(params).weight }

  /// The server whose tool is to be called. The tool's name stands in no member: the running call of that server has it.
  var calledServer: String? { form == .toolCall ? params["serverName"]?.stringValue : nil }

  /// The question for a person.
  ///
  /// - Parameters:
  ///   - item: The item that is asked about, from its `item/started`.
  ///   - session: Whether a yes may be for the chat.
  ///   - always: Whether a yes may be permanent.
  func request(item: JSONObject?, at milliseconds: Int64, session: Bool, always: Bool) -> ApprovalRequest {
    let tool = form == .toolCall ? item?["tool"]?.stringValue : nil
    return ApprovalRequest(
      id: approvalID, chatID: threadID, turnID: turnID, itemID: itemID ?? item?["id"]?.stringValue, form: form,
      summary: summary(item, tool), consequence: consequence, createdAt: milliseconds,
      serverName: params["serverName"]?.stringValue, toolName: tool,
      allowsSession: session, allowsAlways: always, details: details(item), requestID: requestID)
  }

  /// The subject of a decision on it, with the scope that the decision may have beyond it.
  ///
  /// - Parameter definition: All that the MCP server says of the tool; nil where it is not known, or no tool is called.
  func subject(item: JSONObject?, definition: JSONValue?) -> ApprovalSubject {
    switch form {
    case .command: return .command(params)
    case .fileChange:
      let changes = item?["changes"]?.arrayValue?.compactMap(\.objectValue) ?? []
      return .fileChange(
        changes.map {
          ApprovalSubject.FileChange(path: $0["path"]?.stringValue ?? "", diff: $0["diff"]?.stringValue ?? "")
        })
    case .toolCall:
      guard let server = calledServer, let tool = item?["tool"]?.stringValue else {
        return .other(kind: "mcp", .object(params))
      }
      let arguments = params["_meta"]?.objectValue?["tool_params"] ?? .null
      return .mcpTool(server: server, tool: tool, definition: definition, arguments: arguments)
    case .permissions: return .other(kind: "permissions", .object(params))
    case .elicitation: return .other(kind: "elicitation", .object(params))
    }
  }

  /// The same for the same request whenever codex asks it again, also of a restarted companion: a decision is about one
  /// question.
  package var approvalID: String {
    let identity: JSONValue = [
      .string(threadID), .string(turnID ?? ""), requestID, .string(method), params["startedAtMs"] ?? .null,
    ]
    let digits = Array(Hexadecimal.text(SHA256.hash(data: identity.serialized()).prefix(16)))
    let parts = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
    return parts.map { String($0) }.joined(separator: "-")
  }

  private func summary(_ item: JSONObject?, _ tool: String?) -> String {
    switch form {
    case .command: return command(item)?.stringValue ?? "A command that codex did not name"
    case .fileChange: return params["reason"]?.stringValue ?? "File change approval request"
    case .permissions, .toolCall, .elicitation:
      for name in ["message", "prompt", "reason"] {
        if let text = params[name]?.stringValue, !text.isEmpty { return text }
      }
      let server = params["serverName"]?.stringValue
      return [server.map { "Server: \($0)" }, tool.map { "Tool: \($0)" }].compactMap(\.self).joined(separator: " / ")
    }
  }

  private var consequence: String {
    switch form {
    case .command: "The command runs outside of the sandbox, with all that this user may do."
    case .fileChange: "These changes are written as they are shown."
    case .permissions: "Codex gets these permissions until the turn ends."
    case .toolCall: "The tool is called with these arguments; what it does is up to its server."
    case .elicitation: "The answer goes to the MCP server."
    }
  }

  private func details(_ item: JSONObject?) -> JSONObject {
    var details: JSONObject
    switch form {
    case .command:
      details = members(["cwd", "reason", "commandActions", "networkApprovalContext"])
      details["command"] = command(item)
    case .fileChange:
      details = members(["reason", "grantRoot"])
      details["changes"] = item?["changes"]
    case .permissions: details = members(["cwd", "reason", "permissions"])
    case .toolCall:
      let meta = params["_meta"]?.objectValue ?? [:]
      details = ["arguments": meta["tool_params"] ?? .null, "description": meta["tool_description"] ?? .null]
    case .elicitation: details = members(["mode", "message", "url", "requestedSchema"])
    }
    return details
  }

  private func command(_ item: JSONObject?) -> JSONValue? { members(["command"])["command"] ?? item?["command"] }

  private func members(_ names: [String]) -> JSONObject {
    params.filter { names.contains($0.key) && !$0.value.isNull }
  }
}
