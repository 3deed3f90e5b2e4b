package import ResolveKitCore

/// A question of codex to a person, as remote clients see it.
package struct ApprovalRequest: Equatable, Sendable {
  /// The kind of question; it decides which answers there are.
  package enum Form: String, Sendable {
    case command
    case fileChange
    case permissions
    /// A call of an MCP server's tool.
    case toolCall
    /// A question of an MCP server's own.
    case elicitation
  }

  package var id: String
  package var chatID: String
  package var turnID: String?
  package var itemID: String?
  package var form: Form
  package var summary: String
  /// The meaning of a yes, in a sentence.
  package var consequence: String
  /// Milliseconds since 1970.
  package var createdAt: Int64
  package var serverName: String?
  package var toolName: String?
  package var allowsSession: Bool
  package var allowsAlways: Bool
  /// Exactly what is asked about: the command with its folder, the changes of a patch, a call's arguments.
  package var details: JSONObject
  /// The id of codex's request; JSON-RPC's are numbers or texts.
  package var requestID: JSONValue
}

extension ApprovalRequest {
  private var kind: String {
    switch form {
    case .command: "command"
    case .fileChange: "fileChange"
    case .permissions, .toolCall, .elicitation: "mcp"
    }
  }

  private var mode: String {
    switch form {
    case .command, .fileChange, .permissions: "approval"
    case .toolCall, .elicitation: "mcp_elicitation"
    }
  }

  package var title: String {
    switch form {
    case .command: "Command Approval"
    case .fileChange: "File Change Approval"
    case .permissions, .toolCall, .elicitation: "MCP Server Access"
    }
  }

  /// A line for the person at the workstation. The words are codex's, or an MCP server's, and the terminal's are others.
  var notice: String { "\(title): \(ShownText.line(summary, limit: 200))" }

  /// The contract's members, and those that say more: a client that does not know them passes over them.
  package var json: JSONObject {
    var members: JSONObject = [
      "id": .string(id), "kind": .string(kind), "mode": .string(mode), "title": .string(title),
      "summary": .string(summary), "riskLevel": form == .command ? "high" : "medium",
      "createdAt": .number(Double(createdAt)), "supportsSessionAllow": .bool(allowsSession),
      "supportsAlwaysAllow": .bool(allowsAlways), "supportsCancel": .bool(allowsCancel),
      "consequence": .string(consequence), "details": .object(details),
      "chatId": .string(chatID), "requestId": requestID, "form": .string(form.rawValue),
    ]
    members["serverName"] = serverName.map { .string($0) }
    members["toolName"] = toolName.map { .string($0) }
    members["turnId"] = turnID.map { .string($0) }
    members["itemId"] = itemID.map { .string($0) }
    return members
  }

  /// Reads what ``json`` wrote; nil where a member is missing.
  init?(json members: JSONObject) {
    guard let id = members["id"]?.stringValue, let chatID = members["chatId"]?.stringValue,
      let form = members["form"]?.stringValue.flatMap({ Form(rawValue: $0) }),
      let summary = members["summary"]?.stringValue, let consequence = members["consequence"]?.stringValue,
      let requestID = members["requestId"],
      let createdAt = members["createdAt"]?.numberValue.flatMap({ Int64(exactly: $0) })
    else { return nil }
    self.init(
      id: id, chatID: chatID, turnID: members["turnId"]?.stringValue, itemID: members["itemId"]?.stringValue,
      form: form,
      summary: summary, consequence: consequence, createdAt: createdAt, serverName: members["serverName"]?.stringValue,
      toolName: members["toolName"]?.stringValue,
      allowsSession: members["supportsSessionAllow"]?.boolValue ?? false,
      allowsAlways: members["supportsAlwaysAllow"]?.boolValue ?? false, details: members["details"]?.objectValue ?? [:],
      requestID: requestID)
  }
}
