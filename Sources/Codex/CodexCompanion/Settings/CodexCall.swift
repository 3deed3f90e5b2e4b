package import ResolveKitCore

/// A call to codex's app-server, as a value.
package struct CodexCall: Hashable, Sendable {
  package var method: String
  package var parameters: JSONObject

  package init(method: String, parameters: JSONObject) {
    self.method = method
    self.parameters = parameters
  }
}
