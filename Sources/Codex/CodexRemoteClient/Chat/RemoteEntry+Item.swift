import ResolveKitCore

extension RemoteEntry {
  /// The longest text of one entry in bytes; what is beyond is left out, and that is said.
  static let longestText = 1 << 20

  /// An item of codex (tried on 0.163.0); nil for one that a chat does not show.
  init?(_ event: RemoteEvent.Item, isCompleted: Bool) {
    let item = event.item
    guard let itemID = item["id"]?.stringValue, let content = Self.content(item) else { return nil }
    self.init(
      id: RemoteEntryID(turnID: event.turnID, itemID: itemID), content: content,
      progress: Self.progress(item["status"]?.stringValue, isCompleted), requestID: item["clientId"]?.stringValue)
  }

  /// A message of a history.
  init(_ message: RemoteTimeline.Message) {
    self.init(
      id: RemoteEntryID(turnID: message.turnID ?? "", itemID: message.id),
      content: .message(role: Role(rawValue: message.role) ?? .assistant, text: Self.cut(message.text)),
      progress: .completed)
  }

  /// An activity of a history.
  init(_ activity: RemoteTimeline.Activity) {
    let detail = [activity.commandPreview, activity.filePath, activity.detail].compactMap(\.self).first
    self.init(
      id: RemoteEntryID(turnID: activity.turnID ?? "", itemID: activity.id),
      content: .activity(title: Self.cut(activity.title), detail: detail.map(Self.cut)), progress: .completed)
  }

  private static func content(_ item: JSONObject) -> Content? {
    let type = item["type"]?.stringValue ?? ""
    switch type {
    case "userMessage":
      let parts = item["content"]?.arrayValue?.compactMap(\.objectValue) ?? []
      let text = parts.compactMap { $0["text"]?.stringValue }.joined(separator: "\n\n")
      return .message(role: .user, text: cut(text.isEmpty ? "[attachment]" : text))
    case "agentMessage": return .message(role: .assistant, text: cut(item["text"]?.stringValue ?? ""))
    case "commandExecution":
      return .command(
        line: cut(item["command"]?.stringValue ?? ""), folder: item["cwd"]?.stringValue.map(cut),
        exitCode: item["exitCode"]?.integerValue, output: item["aggregatedOutput"]?.stringValue.map(cut))
    case "fileChange": return .fileChange(RemoteFileChange.changes(in: item["changes"]))
    case "mcpToolCall", "dynamicToolCall":
      return .toolCall(
        server: cut(item["server"]?.stringValue ?? "codex"), tool: cut(item["tool"]?.stringValue ?? "a tool"))
    case "webSearch": return .activity(title: "Searched the web", detail: item["query"]?.stringValue.map(cut))
    case "reasoning":
      let summary = item["summary"]?.arrayValue?.compactMap(\.stringValue).first { !$0.isEmpty }
      return .activity(
        title: "Thought", detail: summary.map { cut(String($0.prefix { $0 != "\n" }.filter { $0 != "*" })) })
    case "contextCompaction": return .activity(title: "The context was compacted", detail: nil)
    case "plan": return .activity(title: "Plan", detail: item["text"]?.stringValue.map(cut))
    // Unknown kinds are shown by their name, so that nothing is done unseen.
    default: return type.isEmpty ? nil : .activity(title: cut(type), detail: nil)
    }
  }

  private static func progress(_ status: String?, _ isCompleted: Bool) -> Progress {
    switch status {
    case "failed": .failed
    case "declined": .declined
    case _: isCompleted ? .completed : .inProgress
    }
  }

  static func cut(_ text: String) -> String {
    guard text.utf8.count > longestText else { return text }
    return String(decoding: text.utf8.prefix(longestText), as: UTF8.self) + "\n[cut]"
  }
}
