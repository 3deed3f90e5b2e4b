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
    kind = Kind(method, params.objectValue ?? [:])
  }

  /// Whether it can be answered from here; what cannot is refused by the connection itself.
  package var isAnswerable: Bool {
    switch kind {
    case .unserved, .unknown, .unreadable: false
    case .commandApproval, .fileChangeApproval, .permissionsApproval, .elicitation, .toolCall, .currentTime,
      .legacyApproval:
      true
    }
  }

  /// A request's method, and whether it can be read.
  package enum Kind: Hashable, Sendable {
    /// Whether a command may run.
    case commandApproval
    /// Whether the changes of the item may be made: the request itself has none of them.
    case fileChangeApproval
    /// Whether the turn gets permissions.
    case permissionsApproval
    /// A question of an MCP server, or whether one of its tools may run.
    case elicitation
    /// A tool of the client.
    case toolCall
    /// The current time.
    case currentTime
    /// A command's or a patch's approval as older versions ask for it.
    case legacyApproval
    /// A method of the schema that nobody answers here.
    case unserved
    /// A method that the schema does not have.
    case unknown
    /// A method that is read here, without what it must have.
    case unreadable
  }
}
