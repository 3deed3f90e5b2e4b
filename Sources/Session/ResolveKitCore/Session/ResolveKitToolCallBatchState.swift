/// The state of a batch of calls as a whole.
public enum ResolveKitToolCallBatchState: String, Hashable, Sendable, Codable {
  /// The batch has no calls.
  case idle
  /// At least one call waits for a person's decision, and none runs.
  case awaitingApproval
  /// Every call is decided on, and at least one has yet to start.
  case approved
  /// A person or a policy declined every call.
  case declined
  /// At least one call runs.
  case executing
  /// Every call has its result, its error or its cancellation.
  case finished
}
