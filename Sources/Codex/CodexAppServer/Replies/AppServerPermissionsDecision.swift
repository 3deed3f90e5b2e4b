package import ResolveKitCore

/// Whether the turn gets permissions.
package enum AppServerPermissionsDecision: AppServerReply {
  /// How long permissions last.
  package enum Scope: String, Sendable {
    case turn, session
  }

  /// All or a part of what was asked for.
  case grant(JSONValue, Scope)
  case deny

  package var result: JSONValue {
    switch self {
    case .grant(let permissions, let scope): ["permissions": permissions, "scope": .string(scope.rawValue)]
    case .deny: ["permissions": [:]]
    }
  }
}
