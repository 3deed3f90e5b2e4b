/// The outcome of sending a message.
public enum ResolveKitSendOutcome: Hashable, Sendable {
  /// The message was taken, and its turn is in progress.
  case taken(requestID: String)
  /// The message was not taken.
  case refused(ResolveKitMessageRefusal)
}
