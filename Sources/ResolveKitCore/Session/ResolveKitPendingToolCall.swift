/// A call that waits for a person's decision.
public struct ResolveKitPendingToolCall: Identifiable, Hashable, Sendable, Codable {
  public var id: String { callID }
  public let callID: String
  public let functionName: String
  public let arguments: JSONObject
  /// Seconds from the arrival of the call, approval included.
  public let timeoutSeconds: Int
  public let humanDescription: String
  public let requiresApproval: Bool

  public init(
    callID: String, functionName: String, arguments: JSONObject, timeoutSeconds: Int, humanDescription: String,
    requiresApproval: Bool
  ) {
    self.callID = callID
    self.functionName = functionName
    self.arguments = arguments
    self.timeoutSeconds = timeoutSeconds
    self.humanDescription = humanDescription
    self.requiresApproval = requiresApproval
  }
}
