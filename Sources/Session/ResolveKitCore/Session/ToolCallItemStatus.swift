/// The state of one call of a checklist.
public enum ToolCallItemStatus: Hashable, Sendable, Codable {
  /// Waits for a decision, or for its turn to run.
  case pendingApproval
  /// The tool was started and has not returned.
  case running
  /// The tool returned a result.
  case completed
  /// Skipped, declined or timed out, with the reason if it is known.
  case cancelled(String?)
  /// The tool threw, or the call could not be run; with the error's sentence.
  case failed(String)

  /// The status in one word, as transcripts print it.
  public var name: String {
    switch self {
    case .pendingApproval: "pendingApproval"
    case .running: "running"
    case .completed: "completed"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }

  /// Whether the status changes no more.
  public var isFinal: Bool {
    switch self {
    case .pendingApproval, .running: false
    case .completed, .cancelled, .failed: true
    }
  }
}
