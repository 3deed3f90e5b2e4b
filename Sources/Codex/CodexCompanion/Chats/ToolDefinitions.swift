import ResolveKitCore

/// The MCP servers' descriptions of their tools, as codex lists them.
struct ToolDefinitions: Sendable {
  let link: any CodexLink

  /// All that the server says of the tool; nil where it does not say so in time, or has no such tool.
  func definition(server: String, tool: String, chat: String) async -> JSONValue? {
    var cursor: JSONValue?
    // A list that does not end is none.
    for _ in 0..<16 {
      var params: JSONObject = ["limit": 100]
      params["cursor"] = cursor
      guard let answer = try? await link.call("mcpServerStatus/list", params) else { return nil }
      for entry in answer["data"]?.arrayValue ?? [] {
        guard let entry = entry.objectValue, entry["name"]?.stringValue == server else { continue }
        return entry["tools"]?.objectValue?[tool]
      }
      guard let next = answer["nextCursor"], !next.isNull else { return nil }
      cursor = next
    }
    return nil
  }
}
