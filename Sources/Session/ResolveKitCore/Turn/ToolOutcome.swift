/// What came of running a tool.
package enum ToolOutcome: Codable, Equatable, Sendable {
  case success(JSONValue)
  case failure(String)
}
