package import ResolveKitCore

/// How a turn ended.
package enum AppServerTurnEnd: Hashable, Sendable {
  case completed
  case interrupted
  /// With codex's message; an empty one where it gave none.
  case failed(message: String)
  /// One that is not known here.
  case other(String)

  /// Reads a turn; nil without a status.
  package init?(_ turn: JSONValue) {
    guard let members = turn.objectValue, let status = members["status"]?.stringValue else { return nil }
    switch status {
    case "completed": self = .completed
    case "interrupted": self = .interrupted
    case "failed": self = .failed(message: members["error"]?.objectValue?["message"]?.stringValue ?? "")
    default: self = .other(status)
    }
  }
}
