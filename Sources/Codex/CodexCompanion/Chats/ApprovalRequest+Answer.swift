import ResolveKitCore

extension ApprovalRequest {
  /// The reply that codex takes (tried on 0.163.0, which answers any other shape by a failed item).
  ///
  /// The companion remembers what is allowed for longer, bound to all that a yes permits, and logs each use; codex
  /// learns of this one question alone.
  ///
  /// - Parameter content: The person's answers to an MCP server's own question. Throws ``ChatError`` where it lacks them.
  func answer(_ isYes: Bool, content: JSONObject?) throws(ChatError) -> JSONValue {
    switch form {
    case .command, .fileChange: return ["decision": isYes ? "accept" : "decline"]
    case .permissions:
      return isYes ? ["permissions": details["permissions"] ?? [:], "scope": "turn"] : ["permissions": [:]]
    case .toolCall: return isYes ? ["action": "accept", "content": [:]] : ["action": "decline", "content": nil]
    case .elicitation:
      guard isYes else { return ["action": "decline", "content": nil] }
      let required = details["requestedSchema"]?.objectValue?["required"]?.arrayValue ?? []
      guard content != nil || required.isEmpty else {
        throw ChatError(.unsupportedAnswer, "The server asks for answers: send them as content, or decline.")
      }
      return ["action": "accept", "content": .object(content ?? [:])]
    }
  }
}
