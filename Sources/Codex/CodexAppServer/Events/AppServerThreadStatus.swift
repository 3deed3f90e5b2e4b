package import ResolveKitCore

/// What a thread does.
package enum AppServerThreadStatus: Hashable, Sendable {
  case notLoaded
  case idle
  case systemError
  /// A turn runs. The flags tell what it waits for: `waitingOnApproval`, `waitingOnUserInput`.
  case active(flags: [String])
  /// One that is not known here.
  case other(String)

  /// nil without a type.
  package init?(_ json: JSONValue) {
    guard let type = json.objectValue?["type"]?.stringValue else { return nil }
    switch type {
    case "notLoaded": self = .notLoaded
    case "idle": self = .idle
    case "systemError": self = .systemError
    case "active":
      self = .active(flags: json.objectValue?["activeFlags"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    default: self = .other(type)
    }
  }
}
