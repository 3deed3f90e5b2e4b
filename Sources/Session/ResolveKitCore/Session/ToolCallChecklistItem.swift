/// One row of a batch's checklist.
public struct ToolCallChecklistItem: Identifiable, Hashable, Sendable, Codable {
  public var id: String { call.callID }
  public let call: ResolveKitPendingToolCall
  public var status: ToolCallItemStatus
  /// The tool's latest progress report while it runs; nil before, after, and where it reports none.
  public var progress: ResolveKitToolProgress?

  public var functionName: String { call.functionName }
  public var humanDescription: String { call.humanDescription }

  public init(
    call: ResolveKitPendingToolCall, status: ToolCallItemStatus = .pendingApproval,
    progress: ResolveKitToolProgress? = nil
  ) {
    self.call = call
    self.status = status
    self.progress = progress
  }
}
