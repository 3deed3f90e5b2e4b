/// A call as the shell runs it.
package struct ToolCall: Codable, Equatable, Sendable {
  package let key: ToolCallKey
  package let request: ResolveKitToolCallRequest
  /// Whether a person must agree: the tool's own word or the backend's, whichever is stricter.
  package let requiresApproval: Bool
  /// The time of the call's arrival.
  package let arrivedAt: MonotonicNanoseconds

  package var functionName: String { request.functionName }

  /// The same call in the public API's form.
  package var pending: ResolveKitPendingToolCall {
    ResolveKitPendingToolCall(callID: key.callID, request: request, requiresApproval: requiresApproval)
  }
}
