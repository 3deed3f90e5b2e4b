package import ResolveKitCore

/// A question of an MCP server, or whether a tool of it may run.
package struct AppServerElicitation: Hashable, Sendable {
  /// How it is to be answered.
  package enum Mode: Hashable, Sendable {
    /// By values for the members of a schema; for a tool's approval it has none.
    case form(schema: JSONValue)
    /// In a browser.
    case url(String, id: String?)
    /// In a way that is not known here.
    case other(String)
  }

  package let serverName: String
  package let message: String
  package let mode: Mode
  /// The tool's approval that it is; nil for a question of the server's own.
  package let toolApproval: ToolApproval?

  /// What is told of a tool that waits for approval. Its name is in the message alone, and in the item of the call.
  package struct ToolApproval: Hashable, Sendable {
    package let description: String?
    package let arguments: JSONValue
    /// For how long codex would remember an approval: `session`, `always`.
    package let offeredPersistence: [String]
  }

  init?(_ reader: ParamsReader) {
    guard let server = reader.string("serverName"), let mode = reader.string("mode") else { return nil }
    serverName = server
    message = reader.string("message") ?? ""
    switch mode {
    case "form": self.mode = .form(schema: reader.members["requestedSchema"] ?? .null)
    case "url":
      guard let url = reader.string("url") else { return nil }
      self.mode = .url(url, id: reader.string("elicitationId"))
    default: self.mode = .other(mode)
    }
    let meta = reader.members["_meta"]?.objectValue ?? [:]
    toolApproval =
      meta["codex_approval_kind"]?.stringValue == "mcp_tool_call"
      ? ToolApproval(
        description: meta["tool_description"]?.stringValue, arguments: meta["tool_params"] ?? .null,
        offeredPersistence: meta["persist"]?.arrayValue?.compactMap(\.stringValue) ?? [])
      : nil
  }
}
