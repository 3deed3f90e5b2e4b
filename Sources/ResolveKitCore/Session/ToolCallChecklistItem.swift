/// One row of a batch's checklist.
public struct ToolCallChecklistItem: Identifiable, Hashable, Sendable, Codable {
  public var id: String { call.callID }
  public let call: ResolveKitPendingToolCall
  public var status: ToolCallItemStatus

  public var functionName: String { call.functionName }
  public var humanDescription: String { call.humanDescription }

  public init(call: ResolveKitPendingToolCall, status: ToolCallItemStatus = .pendingApproval) {
    self.call = call
    self.status = status
  }
}
