package import ResolveKitCore

/// An item of a turn, such as a message or a command.
package struct AppServerItem: Hashable, Sendable {
  package let id: String
  /// Such as `agentMessage`, `commandExecution`, `fileChange`, `mcpToolCall`; others may come.
  package let type: String
  /// The whole item.
  package let json: JSONValue

  /// nil without an id or a type.
  package init?(_ json: JSONValue) {
    guard let members = json.objectValue, let id = members["id"]?.stringValue, let type = members["type"]?.stringValue
    else { return nil }
    self.id = id
    self.type = type
    self.json = json
  }

  /// Such as `inProgress`, `completed`, `failed`, `declined`; nil where the type has none.
  package var status: String? { json.objectValue?["status"]?.stringValue }
}
