public import ResolveKitCore

/// An entry's identity: item ids are a model's own, and may come again in another turn.
public struct RemoteEntryID: Hashable, Sendable {
  /// The turn; empty where it is not known.
  public let turnID: String
  /// The item's id in the turn.
  public let itemID: String

  package init(turnID: String, itemID: String) {
    self.turnID = turnID
    self.itemID = itemID
  }
}

/// Something that was said or done in a chat.
public struct RemoteEntry: Hashable, Sendable, Identifiable {
  /// The kind of entry.
  public enum Content: Hashable, Sendable {
    /// A person's or the agent's words.
    case message(role: Role, text: String)
    /// A command with its folder, and once it has ended its exit code and output.
    case command(line: String, folder: String?, exitCode: Int?, output: String?)
    /// Changes of files, by path.
    case fileChange([RemoteFileChange])
    /// A call of an MCP server's tool.
    case toolCall(server: String, tool: String)
    /// Anything else, as a title and what there is to say about it.
    case activity(title: String, detail: String?)
  }

  /// The speaker.
  public enum Role: String, Hashable, Sendable {
    /// A person, at any device.
    case user
    /// The agent.
    case assistant
  }

  /// The progress of an entry.
  public enum Progress: String, Hashable, Sendable {
    /// In progress: a message's text grows, a command runs.
    case inProgress = "in_progress"
    /// Ended without an error.
    case completed
    /// Ended with an error, or cut off.
    case failed
    /// A person declined.
    case declined
  }

  /// The entry's identity within the chat.
  public let id: RemoteEntryID
  /// The message or action, as far as it is known.
  public internal(set) var content: Content
  /// The entry's progress.
  public internal(set) var progress: Progress
  /// The id under which a message was sent; nil where it is another's, or none.
  public internal(set) var requestID: String?

  init(id: RemoteEntryID, content: Content, progress: Progress, requestID: String? = nil) {
    self.id = id
    self.content = content
    self.progress = progress
    self.requestID = requestID
  }

  /// Bytes of text that it holds.
  var size: Int {
    switch content {
    case .message(_, let text): text.utf8.count
    case .command(let line, let folder, _, let output):
      line.utf8.count + (folder?.utf8.count ?? 0) + (output?.utf8.count ?? 0)
    case .fileChange(let changes): changes.reduce(0) { $0 + $1.path.utf8.count + $1.diff.utf8.count }
    case .toolCall(let server, let tool): server.utf8.count + tool.utf8.count
    case .activity(let title, let detail): title.utf8.count + (detail?.utf8.count ?? 0)
    }
  }
}

/// A file that codex changed, or wants to.
public struct RemoteFileChange: Hashable, Sendable {
  /// The file's path, as codex writes it.
  public let path: String
  /// `add`, `delete`, `update`, or what a later codex says.
  public let kind: String
  /// A unified diff for an update, else the file's text.
  public let diff: String

  /// The changes of an item, or of an approval's details.
  public static func changes(in value: JSONValue?) -> [RemoteFileChange] {
    (value?.arrayValue ?? []).prefix(1_000).compactMap { change in
      guard let members = change.objectValue, let path = members["path"]?.stringValue else { return nil }
      let kind = members["kind"]?.objectValue?["type"]?.stringValue ?? members["kind"]?.stringValue ?? "update"
      return RemoteFileChange(path: path, kind: kind, diff: members["diff"]?.stringValue ?? "")
    }
  }
}
