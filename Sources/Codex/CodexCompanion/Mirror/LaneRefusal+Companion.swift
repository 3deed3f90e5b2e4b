import CodexRemoteContract

extension LaneRefusal {
  /// The refusal that an error of the companion's is for a client of a runtime.
  init(_ error: any Error) {
    switch error {
    case let error as LaneRefusal: self = error
    case let error as ChatError:
      switch error.code {
      case .unknownChat: self = .unknownThread
      case .unknownProject, .unknownApproval, .unsupportedAnswer: self.init(.invalidRequest, error.message)
      case .answered, .unconfirmed, .refused: self.init(.conflict, error.message)
      case .unavailable, .busy, .tooMany: self.init(.workerUnavailable, error.message, isRetryable: true)
      }
    case let error as CodexCallError:
      switch error.code {
      case .refused: self = .byCodex(error.message)
      case .unavailable, .busy: self.init(.workerUnavailable, error.message, isRetryable: true)
      case .timedOut: self.init(.timeout, error.message)
      }
    case let error as CompanionError: self.init(.invalidRequest, error.message)
    case let error as ProjectError: self.init(.invalidRequest, error.message)
    default: self.init(.internalError, "\(error)")
    }
  }
}
