/// What became of a message that was to be sent.
public enum ResolveKitSendOutcome: Hashable, Sendable {
  /// The message was taken, and its turn is in progress.
  case taken(requestID: String)
  /// The message was not taken.
  case refused(ResolveKitMessageRefusal)
}
