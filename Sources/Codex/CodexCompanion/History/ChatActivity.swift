package import ResolveKitCore

/// Something that the agent did in a chat, as a row between its messages.
package struct ChatActivity: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case thinking
    case exploring
    case runningCommand = "running_command"
    case fileEdited = "file_edited"
    case contextCompacted = "context_compacted"
    case backgroundTerminal = "background_terminal"
    case reconnecting

    /// The row's title where it has none of its own.
    package func title(_ state: State) -> String {
      switch (self, state) {
      case (.thinking, .inProgress): "Thinking"
      case (.thinking, .completed): "Thought through it"
      case (.exploring, .inProgress): "Exploring"
      case (.exploring, .completed): "Explored"
      case (.runningCommand, .inProgress): "Running command"
      case (.runningCommand, .completed): "Command finished"
      case (.fileEdited, _): "Edited"
      case (.contextCompacted, _): "Context automatically compacted"
      case (.backgroundTerminal, .inProgress): "Background terminal running"
      case (.backgroundTerminal, .completed): "Background terminal finished"
      case (.reconnecting, .inProgress): "Reconnecting..."
      case (.reconnecting, .completed): "Reconnected"
      }
    }
  }

  package enum State: String, Hashable, Sendable {
    case inProgress = "in_progress"
    case completed
  }

  package var id: String
  package var itemID: String
  package var kind: Kind
  package var title: String
  package var detail: String?
  package var commandPreview: String?
  /// Seconds since 1970.
  package var createdAt: Int
  /// Seconds since 1970.
  package var updatedAt: Int
  package var state: State
  package var filePath: String?
  package var additions: Int?
  package var deletions: Int?
  /// The turn that it was done in; an extension, nil in the older kind of histories.
  package var turnID: String?

  /// A row with the title of its kind, and nothing that a kind has of its own.
  package init(id: String, kind: Kind, createdAt: Int, updatedAt: Int, state: State = .completed) {
    self.id = id
    itemID = id
    self.kind = kind
    title = kind.title(state)
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.state = state
  }

  package var json: JSONValue {
    var members: JSONObject = [
      "id": .string(id), "itemId": .string(itemID), "kind": .string(kind.rawValue), "title": .string(title),
      "createdAt": .number(Double(createdAt)), "updatedAt": .number(Double(updatedAt)),
      "state": .string(state.rawValue),
    ]
    members["turnId"] = turnID.map { .string($0) }
    members["detail"] = detail.map { .string($0) }
    members["commandPreview"] = commandPreview.map { .string($0) }
    members["filePath"] = filePath.map { .string($0) }
    members["additions"] = additions.map { .number(Double($0)) }
    members["deletions"] = deletions.map { .number(Double($0)) }
    return .object(members)
  }
}
