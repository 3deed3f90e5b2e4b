package import ResolveKitCore

/// Whether a command runs.
package enum AppServerCommandDecision: AppServerReply {
  /// It runs outside the sandbox.
  case accept
  /// It runs, and the same command is not asked about again while the thread is loaded.
  case acceptForSession
  /// It runs, and codex writes a rule that all commands with these first words may run.
  case acceptWithPrefix([String])
  /// The host may be reached or not, by a rule that codex keeps.
  case applyNetworkRule(host: String, isAllowed: Bool)
  /// It does not run, and the turn goes on.
  case decline
  /// It does not run, and the turn ends as interrupted.
  case cancel

  package var result: JSONValue {
    switch self {
    case .accept: ["decision": "accept"]
    case .acceptForSession: ["decision": "acceptForSession"]
    case .acceptWithPrefix(let words):
      ["decision": ["acceptWithExecpolicyAmendment": ["execpolicy_amendment": .array(words.map { .string($0) })]]]
    case .applyNetworkRule(let host, let isAllowed):
      [
        "decision": [
          "applyNetworkPolicyAmendment": [
            "network_policy_amendment": ["host": .string(host), "action": isAllowed ? "allow" : "deny"]
          ]
        ]
      ]
    case .decline: ["decision": "decline"]
    case .cancel: ["decision": "cancel"]
    }
  }
}
