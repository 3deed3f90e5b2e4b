import Observation
import ResolveKitCore

/// The newest batches of tool calls, and the one that changed last.
@MainActor
@Observable
final class RuntimeToolCalls {
  /// The number of batches that are kept.
  private static let limit = 128

  /// The batches, oldest first.
  private(set) var batches: [ToolCallChecklistBatch] = []
  private(set) var checklist: [ToolCallChecklistItem] = []
  private(set) var state: ResolveKitToolCallBatchState = .idle

  /// Shows a batch in the place of its earlier state.
  func show(_ batch: ToolCallChecklistBatch) {
    checklist = batch.items
    state = batch.state
    if let index = batches.firstIndex(where: { $0.id == batch.id }) {
      batches[index] = batch
    } else {
      batches = batches.suffix(Self.limit - 1) + [batch]
    }
  }

  func clear() {
    batches = []
    checklist = []
    state = .idle
  }
}
