/// Calls that arrived within one window and are decided together.
public struct ToolCallChecklistBatch: Identifiable, Hashable, Sendable, Codable {
  /// Counts up from 1 within a runtime.
  public let id: Int
  public let turnID: String
  public var state: ResolveKitToolCallBatchState
  public var items: [ToolCallChecklistItem]

  public init(id: Int, turnID: String, state: ResolveKitToolCallBatchState, items: [ToolCallChecklistItem]) {
    self.id = id
    self.turnID = turnID
    self.state = state
    self.items = items
  }
}
