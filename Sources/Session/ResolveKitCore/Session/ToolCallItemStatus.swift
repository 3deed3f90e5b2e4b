/// Where one call of a checklist stands.
public enum ToolCallItemStatus: Hashable, Sendable, Codable {
  case pendingApproval
  case running
  case completed
  /// Skipped, declined or overtaken by its deadline; with the reason, if there is one to tell.
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

  public var isFinal: Bool {
    switch self {
    case .pendingApproval, .running: false
    case .completed, .cancelled, .failed: true
    }
  }
}
