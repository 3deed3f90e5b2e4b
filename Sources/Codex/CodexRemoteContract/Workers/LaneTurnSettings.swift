package import ResolveKitCore

/// The model and the effort that a client asks for with a turn; codex keeps them for the thread.
package struct LaneTurnSettings: Equatable, Sendable {
  package let model: String?
  package let effort: String?

  package init(model: String? = nil, effort: String? = nil) {
    self.model = model
    self.effort = effort
  }

  /// The settings as parameters of `turn/start`.
  package var params: JSONObject {
    var params: JSONObject = [:]
    params["model"] = model.map { .string($0) }
    params["effort"] = effort.map { .string($0) }
    return params
  }
}
