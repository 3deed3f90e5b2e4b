/// When a person is asked to rate a session.
///
/// A request after an answer waits 15 s and lapses with the next message; an operator's is shown at once. A session is
/// rated once, and who does not want to is asked again by an operator only.
struct FeedbackPrompt {
  /// How long an answer is left to be read before its rating is asked for.
  static let delay = Duration.seconds(15)

  enum Step: Equatable {
    case ignore
    case showNow
    case showAfterDelay
  }

  private(set) var isShown = false
  /// An answer has come since the last message: without one, a request is of a replayed history.
  private var hasAnswer = false
  private var wasDismissed = false
  private var wasSubmitted = false
  var timer: Task<Void, Never>?

  func step(immediate: Bool) -> Step {
    guard !wasSubmitted, !isShown else { return .ignore }
    if immediate { return .showNow }
    return hasAnswer && !wasDismissed ? .showAfterDelay : .ignore
  }

  mutating func turnEnded(_ isComplete: Bool) { hasAnswer = isComplete }

  mutating func messageSent() { hasAnswer = false }

  mutating func shown() { isShown = true }

  /// Returns whether it was shown.
  mutating func withdraw() -> Bool {
    timer?.cancel()
    timer = nil
    defer { isShown = false }
    return isShown
  }

  mutating func dismissed() { wasDismissed = true }

  mutating func submitted() { wasSubmitted = true }
}
