package import ResolveKitCore

/// The answer to a deprecated approval.
package enum AppServerLegacyDecision: AppServerReply {
  case approved
  case approvedForSession
  case denied(String)
  /// The turn ends.
  case abort

  package var result: JSONValue {
    switch self {
    case .approved: ["decision": "approved"]
    case .approvedForSession: ["decision": "approved_for_session"]
    case .denied(let rejection): ["decision": ["denied": ["rejection": .string(rejection)]]]
    case .abort: ["decision": "abort"]
    }
  }
}
