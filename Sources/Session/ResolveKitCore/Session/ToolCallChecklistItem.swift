/// One row of a batch's checklist.
public struct ToolCallChecklistItem: Identifiable, Hashable, Sendable, Codable {
  public var id: String { call.callID }
  /// The call with its arguments.
  public let call: ResolveKitPendingToolCall
  /// The state of the call.
  public var status: ToolCallItemStatus
  /// The tool's latest progress report while it runs; nil before, after, and where it reports none.
  public var progress: ResolveKitToolProgress?

  /// The registered name of the tool.
  public var functionName: String { call.functionName }
  /// The backend's sentence on what the call would do; empty where it gave none.
  public var humanDescription: String { call.humanDescription }

  /// Creates a row, as a test of an app does; a runtime makes its own.
  public init(
    call: ResolveKitPendingToolCall, status: ToolCallItemStatus = .pendingApproval,
    progress: ResolveKitToolProgress? = nil
  ) {
    self.call = call
    self.status = status
    self.progress = progress
  }
}
