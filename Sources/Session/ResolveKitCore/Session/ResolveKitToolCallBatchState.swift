/// Where a batch of calls stands as a whole.
public enum ResolveKitToolCallBatchState: String, Hashable, Sendable, Codable {
  case idle
  case awaitingApproval
  case approved
  case declined
  case executing
  case finished
}
