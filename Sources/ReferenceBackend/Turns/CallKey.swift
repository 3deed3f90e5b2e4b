/// A tool call. The model's call id is unique within its turn at best.
package struct CallKey: Hashable, Sendable {
  package var sessionID: String
  package var turnID: String
  package var callID: String

  package init(sessionID: String, turnID: String, callID: String) {
    self.sessionID = sessionID
    self.turnID = turnID
    self.callID = callID
  }
}

/// What a client says that a call came to.
package enum ToolOutcome: Equatable, Sendable {
  /// The text for the model.
  case success(String)
  case failure(String)
}
