/// The reason for which a decision on tool calls has no effect: it counts for what was shown to the person, and for
/// nothing else.
public enum ResolveKitDecisionRefusal: String, Error, Hashable, Sendable, Codable, CaseIterable {
  /// No question was shown at that moment.
  case nothingShown
  /// A call was named that is not among those that were shown.
  case notShown
  /// The question is over: it was answered before, the calls' time is up, or their turn has ended.
  case over
  /// The question has changed since it was shown: some of the calls no longer wait.
  case changed
  /// The backend has stopped waiting for some of the calls, so they are not run.
  case tooLate
}

extension ResolveKitDecisionRefusal: CustomStringConvertible {
  /// A sentence for the person who decided.
  public var description: String {
    switch self {
    case .nothingShown: "The decision was not taken: no question about tool calls is shown."
    case .notShown: "The decision was not taken: it names a call that was not shown."
    case .over:
      "The decision was not taken: these calls were decided on before, their time is up, or their turn has ended."
    case .changed: "The decision was not taken: some of these calls no longer wait. Decide on those that are left."
    case .tooLate:
      "The decision was not taken: it came too late for some of these calls, which are not run. Decide on those that are left."
    }
  }
}
