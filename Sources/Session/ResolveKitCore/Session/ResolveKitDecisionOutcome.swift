/// The outcome of a person's decision on tool calls.
public enum ResolveKitDecisionOutcome: Hashable, Sendable {
  /// It counts for the calls that it was made for.
  case counted
  /// It has no effect at all.
  case refused(ResolveKitDecisionRefusal)
}
