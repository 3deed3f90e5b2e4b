/// The outcome of a person's decision on tool calls.
public enum ResolveKitDecisionOutcome: Hashable, Sendable {
  /// The decision counts for the calls that it was made for.
  case counted
  /// The decision has no effect.
  case refused(ResolveKitDecisionRefusal)
}
