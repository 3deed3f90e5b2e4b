package import ResolveKitCore

/// Something that codex asks.
package struct AppServerRequest: Hashable, Sendable {
  /// The same on every connection that is asked; counted by codex's process.
  package let id: AppServerID
  package let kind: Kind
  package let method: String
  /// The params as they came.
  package let params: JSONValue

  package init(id: AppServerID, method: String, params: JSONValue) {
    self.id = id
    self.method = method
    self.params = params
    kind = Kind(method, ParamsReader(params))
  }

  package var threadID: String? { ParamsReader(params).threadID }
  /// nil where the request belongs to no turn, as an MCP server's question may.
  package var turnID: String? { ParamsReader(params).turnID }
  /// The item that is to be approved. Permissions and questions tell an id for which there is no item.
  package var itemID: String? { ParamsReader(params).itemID }

  /// Whether it can be answered from here; what cannot is refused by the connection itself.
  package var isAnswerable: Bool {
    switch kind {
    case .unserved, .unknown, .unreadable: false
    case .commandApproval, .fileChangeApproval, .permissionsApproval, .elicitation, .userInput, .toolCall, .currentTime,
      .legacyCommandApproval, .legacyFileChangeApproval:
      true
    }
  }

  /// A request's method with what is read of its params.
  package enum Kind: Hashable, Sendable {
    /// Whether a command may run. The answer is a ``AppServerCommandDecision``.
    case commandApproval(AppServerCommandApproval)
    /// Whether the changes of the item may be made: the request itself has none of them. The answer is a
    /// ``AppServerFileChangeDecision``.
    case fileChangeApproval(reason: String?)
    /// Whether the turn gets these permissions. The answer is a ``AppServerPermissionsDecision``.
    case permissionsApproval(permissions: JSONValue, reason: String?)
    /// A question of an MCP server, or whether one of its tools may run. The answer is a ``AppServerElicitationReply``.
    case elicitation(AppServerElicitation)
    /// Questions of the model. The answer is a ``AppServerUserInputReply``.
    case userInput(questions: [JSONValue])
    /// A tool of the client. The answer is a ``AppServerToolReply``.
    case toolCall(callID: String, namespace: String?, tool: String, arguments: JSONValue)
    /// What time it is. The answer is a ``AppServerTimeReply``.
    case currentTime
    /// Deprecated. The answer is a ``AppServerLegacyDecision``.
    case legacyCommandApproval(command: [String])
    /// Deprecated. The answer is a ``AppServerLegacyDecision``.
    case legacyFileChangeApproval(changes: JSONValue)
    /// A method of the schema that only an owner of codex's account could answer.
    case unserved
    /// A method that the schema does not have.
    case unknown
    /// A method that is read here, without what it must have.
    case unreadable
  }
}
