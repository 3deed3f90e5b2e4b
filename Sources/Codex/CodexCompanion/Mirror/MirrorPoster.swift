import CodexWorkersClient

/// Posts events to the worker's log.
struct MirrorPoster: Sendable {
  enum Outcome: Sendable {
    case stored
    /// Never accepted, or not needed any more.
    case refused
    /// - retryAfter: what the runtime asks for.
    case failed(retryAfter: Duration?)
  }

  let mirror: MirrorConfiguration
  let gate: MirrorGate

  /// Throws ``WorkersError`` where the worker has to be registered again.
  func post(_ draft: WorkerEventDraft, key: String?) async throws -> Outcome {
    do {
      _ = try await mirror.client.store(draft, in: mirror.worker, key: key)
      return .stored
    } catch let error as WorkersError {
      switch MirrorVerdict(error) {
      case .again: return .failed(retryAfter: error.retryAfter)
      case .stopped:
        await gate.set(isRunning: false)
        return .refused
      case .drop: return .refused
      case .startOver: throw error
      }
    }
  }
}
