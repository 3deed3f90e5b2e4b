package import ResolveKitCore

/// What is said to an MCP server, or about a tool of it.
package enum AppServerElicitationReply: AppServerReply {
  /// How long codex remembers that a tool may run.
  package enum Persistence: String, Sendable {
    /// In this thread, whatever the tool's arguments.
    case session
    /// For good: codex writes it into its configuration.
    case always
  }

  /// Codex passes the content on unchecked; an approval has an empty one.
  case accept(content: JSONValue = [:], persistence: Persistence? = nil)
  case decline
  /// The turn goes on all the same.
  case cancel

  package var result: JSONValue {
    switch self {
    case .accept(let content, nil): ["action": "accept", "content": content]
    case .accept(let content, let persistence?):
      ["action": "accept", "content": content, "_meta": ["persist": .string(persistence.rawValue)]]
    case .decline: ["action": "decline", "content": nil]
    case .cancel: ["action": "cancel", "content": nil]
    }
  }
}
