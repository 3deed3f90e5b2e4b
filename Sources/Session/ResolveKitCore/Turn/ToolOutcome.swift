/// The outcome of running a tool.
package enum ToolOutcome: Codable, Equatable, Sendable {
  case success(JSONValue)
  case failure(String)
}

extension ResolveKitToolResultPayload {
  /// The outcome that the payload carries.
  var outcome: ToolOutcome {
    switch status {
    case .success: .success(result ?? .null)
    case .error: .failure(error ?? "")
    }
  }
}
