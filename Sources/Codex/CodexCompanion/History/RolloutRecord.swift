import ResolveKitCore

/// The payload of an `event_msg` line: an item that was finished, or one of the lines of the older way to write histories
/// (`historyMode: "legacy"`), which has no items.
struct RolloutRecord {
  private let payload: JSONObject
  private let startedAt: Int
  private let endedAt: Int
  private let folder: String?

  /// - Parameter lineTime: When the line was written, in milliseconds since 1970; holds where an item has no times.
  init(_ payload: JSONObject, lineTime: Int?, folder: String?) {
    self.payload = payload
    self.folder = folder
    let time = { (name: String) in payload[name]?.integerValue.flatMap { $0 >= 0 ? $0 : nil } }
    let end = time("completed_at_ms") ?? lineTime ?? 0
    endedAt = end / 1_000
    startedAt = (time("started_at_ms") ?? end) / 1_000
  }

  /// nil where it is nothing that a chat shows.
  var event: RolloutEvent? {
    switch payload["type"]?.stringValue {
    case "item_completed": return payload["item"]?.objectValue.flatMap(item)
    case "user_message":
      return message(.user, payload["message"]?.stringValue, attachments: ["images", "local_images"])
    case "agent_message": return message(.assistant, payload["message"]?.stringValue, phase: payload["phase"])
    case "patch_apply_end": return payload["call_id"]?.stringValue.flatMap { edits($0, payload) }
    case "web_search_end": return payload["call_id"]?.stringValue.flatMap { searches($0, payload) }
    case "mcp_tool_call_end":
      guard let id = payload["call_id"]?.stringValue, let call = payload["invocation"]?.objectValue else { return nil }
      return toolCall(id, call)
    // It has no id of its own.
    case "context_compacted": return row("context_compacted:\(endedAt)", .contextCompacted)
    default: return nil
    }
  }

  private func item(_ item: JSONObject) -> RolloutEvent? {
    guard let id = item["id"]?.stringValue, id.utf8.count <= 200 else { return nil }
    switch item["type"]?.stringValue {
    case "UserMessage": return message(.user, content: item["content"])
    case "AgentMessage": return message(.assistant, content: item["content"], phase: item["phase"])
    case "Reasoning": return reasoning(id, item)
    case "CommandExecution":
      return .activities([RolloutCommand(item).activity(id, createdAt: startedAt, updatedAt: endedAt)])
    case "FileChange": return edits(id, item)
    case "McpToolCall": return toolCall(id, item)
    case "WebSearch": return searches(id, item)
    case "ContextCompaction": return row(id, .contextCompacted)
    default: return nil
    }
  }

  // MARK: Messages

  private func message(_ role: ChatMessage.Role, content: JSONValue?, phase: JSONValue? = nil) -> RolloutEvent? {
    let parts = content?.arrayValue?.compactMap(\.objectValue) ?? []
    let text = parts.compactMap { $0["text"]?.stringValue }.filter { !$0.isEmpty }.joined(separator: "\n\n")
    if text.isEmpty, !parts.isEmpty, role == .user { return .message(.user, text: Self.attachment, phase: nil) }
    return message(role, text, phase: phase)
  }

  private func message(
    _ role: ChatMessage.Role, _ text: String?, phase: JSONValue? = nil, attachments: [String] = []
  ) -> RolloutEvent? {
    guard let text, text.contains(where: { !$0.isWhitespace }) else {
      let hasAttachment = attachments.contains { payload[$0]?.arrayValue?.isEmpty == false }
      return hasAttachment ? .message(role, text: Self.attachment, phase: nil) : nil
    }
    return .message(role, text: text, phase: phase?.stringValue.flatMap(ChatMessage.Phase.init))
  }

  /// Stands for a message that has no text.
  private static let attachment = "[attachment]"

  // MARK: Activities

  private func row(_ id: String, _ kind: ChatActivity.Kind) -> RolloutEvent {
    .activities([ChatActivity(id: id, kind: kind, createdAt: startedAt, updatedAt: endedAt)])
  }

  private func reasoning(_ id: String, _ item: JSONObject) -> RolloutEvent? {
    let summary = item["summary_text"]?.arrayValue?.compactMap(\.stringValue).first { !$0.isEmpty }
    guard let summary else { return nil }
    var activity = ChatActivity(id: id, kind: .thinking, createdAt: startedAt, updatedAt: endedAt)
    // The first line is a title in bold.
    activity.detail = RolloutCommand.preview(summary.prefix { $0 != "\n" }.filter { $0 != "*" })
    return .activities([activity])
  }

  private func toolCall(_ id: String, _ call: JSONObject) -> RolloutEvent? {
    guard let server = call["server"]?.stringValue, let tool = call["tool"]?.stringValue else { return nil }
    var activity = ChatActivity(id: id, kind: .runningCommand, createdAt: startedAt, updatedAt: endedAt)
    activity.title = RolloutCommand.preview("Called \(tool) tool from \(server) MCP")
    if call["status"]?.stringValue == "failed" { activity.detail = "Failed" }
    return .activities([activity])
  }

  private func searches(_ id: String, _ item: JSONObject) -> RolloutEvent? {
    let several = item["action"]?.objectValue?["queries"]?.arrayValue?.compactMap(\.stringValue) ?? []
    let queries = (several.isEmpty ? [item["query"]?.stringValue ?? ""] : several).filter { !$0.isEmpty }
    guard !queries.isEmpty else { return nil }
    return .activities(
      queries.prefix(20).enumerated().map { index, query in
        let id = "\(id):search:\(index + 1)"
        var activity = ChatActivity(id: id, kind: .exploring, createdAt: startedAt, updatedAt: endedAt)
        activity.title = RolloutCommand.preview("Searched web for \(query)")
        return activity
      })
  }

  private func edits(_ id: String, _ item: JSONObject) -> RolloutEvent? {
    // A change that failed or was declined has edited nothing.
    guard item["status"]?.stringValue ?? "completed" == "completed", let changes = item["changes"]?.objectValue else {
      return nil
    }
    let edits = changes.compactMap { RolloutEdit(path: $0.key, $0.value, folder: folder) }
    return .activities(
      edits.sorted { $0.path < $1.path }.enumerated().map { index, edit in
        edit.activity(id, index + 1, createdAt: startedAt, updatedAt: endedAt)
      })
  }
}
