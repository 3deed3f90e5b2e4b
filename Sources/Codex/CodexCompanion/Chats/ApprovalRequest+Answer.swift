import ResolveKitCore

extension ApprovalRequest {
  /// Whether a person may dismiss it without an answer.
  package var allowsCancel: Bool { form == .elicitation }

  /// The reply that codex takes (tried on 0.163.0, which answers any other shape by a failed item).
  ///
  /// The companion remembers what is allowed for longer, bound to all that a yes permits, and logs each use; codex
  /// learns of this one question alone.
  ///
  /// - Parameter content: The person's answers to an MCP server's own question. Throws ``ChatError`` where it lacks them.
  func answer(_ decision: ApprovalAnswer, content: JSONObject?) throws(ChatError) -> JSONValue {
    switch decision {
    case .approve, .allowForSession, .allowAlways: try accepted(content)
    case .decline: declined
    case .cancel: try cancelled()
    }
  }

  private func accepted(_ content: JSONObject?) throws(ChatError) -> JSONValue {
    switch form {
    case .command, .fileChange: return ["decision": "accept"]
    case .permissions: return ["permissions": details["permissions"] ?? [:], "scope": "turn"]
    case .toolCall: return ["action": "accept", "content": [:]]
    case .elicitation:
      let mode = details["mode"]?.stringValue ?? "form"
      guard mode == "form" || mode == "url" else {
        throw ChatError(.unsupportedAnswer, "The server asks in a way that is not known here: decline or cancel it.")
      }
      let required = details["requestedSchema"]?.objectValue?["required"]?.arrayValue ?? []
      guard content != nil || required.isEmpty else {
        throw ChatError(.unsupportedAnswer, "The server asks for answers: send them as content, or decline.")
      }
      return ["action": "accept", "content": .object(content ?? [:])]
    }
  }

  private var declined: JSONValue {
    switch form {
    case .command, .fileChange: ["decision": "decline"]
    case .permissions: ["permissions": [:]]
    case .toolCall, .elicitation: ["action": "decline", "content": nil]
    }
  }

  private func cancelled() throws(ChatError) -> JSONValue {
    guard allowsCancel else {
      throw ChatError(.unsupportedAnswer, "This is approved or declined; stop the turn to do neither.")
    }
    return ["action": "cancel", "content": nil]
  }
}
