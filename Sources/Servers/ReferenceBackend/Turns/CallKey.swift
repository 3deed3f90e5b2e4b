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
