import ResolveKitCore

/// A command that the agent ran: a `CommandExecution` item.
struct RolloutCommand {
  /// The most characters of a command, title or detail.
  private static let maximumPreview = 500

  private let item: JSONObject

  init(_ item: JSONObject) { self.item = item }

  func activity(_ id: String, createdAt: Int, updatedAt: Int) -> ChatActivity {
    var activity = ChatActivity(id: id, kind: kind, createdAt: createdAt, updatedAt: updatedAt)
    switch activity.kind {
    case .exploring: activity.detail = explored
    case .thinking, .runningCommand, .fileEdited, .contextCompacted, .backgroundTerminal, .reconnecting:
      activity.commandPreview = Self.preview(command)
      if let code = item["exit_code"]?.integerValue, code != 0 { activity.detail = "Exit code \(code)" }
    }
    return activity
  }

  /// The beginning of a text, without spaces around it.
  static func preview(_ text: some StringProtocol) -> String {
    let scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }.prefix(maximumPreview)
    let end = scalars.lastIndex { !$0.properties.isWhitespace }
    return end.map { String(String.UnicodeScalarView(scalars[...$0])) } ?? ""
  }

  private var kind: ChatActivity.Kind {
    if item["source"]?.stringValue == "unified_exec_interaction" { return .backgroundTerminal }
    return explored == nil ? .runningCommand : .exploring
  }

  /// The files that were read and searched, as codex understands the command.
  private var explored: String? {
    let types = item["parsed_cmd"]?.arrayValue?.compactMap { $0.objectValue?["type"]?.stringValue } ?? []
    let files = types.filter { ["read", "list_files"].contains($0) }.count
    let searches = types.filter { $0 == "search" }.count
    let parts = [
      files > 0 ? "\(files) \(files == 1 ? "file" : "files")" : nil,
      searches > 0 ? "\(searches) \(searches == 1 ? "search" : "searches")" : nil,
    ]
    let text = parts.compactMap { $0 }.joined(separator: ", ")
    return text.isEmpty ? nil : text
  }

  /// The text that was given to the shell, or the arguments where there was none.
  private var command: String {
    let arguments = item["command"]?.arrayValue?.compactMap(\.stringValue) ?? []
    if arguments.count == 3, ["-lc", "-c"].contains(arguments[1]) { return arguments[2] }
    return arguments.joined(separator: " ")
  }
}
