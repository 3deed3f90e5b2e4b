import Foundation
import StreamTransport

/// The rules for asking a person to rate a session.
///
/// A request after an answer waits 15 s and lapses with the next message; an operator's is shown at once. A session is
/// rated once, and a person who declines is asked again by an operator only. A session that was taken up without knowledge
/// of its past replays its stream from the start: requests from before that moment were shown to the person of then.
struct FeedbackPrompt {
  /// The time for reading an answer before its rating is asked for.
  static let delay = Duration.seconds(15)

  enum Step: Equatable {
    case ignore
    case showNow
    case showAfterDelay
  }

  private(set) var isShown = false
  /// The time by the server's clock of a session that was taken up and of which nothing is known here; nil for any other
  /// session.
  private let takenUpAt: Date?
  /// An answer has come since the last message: without one, a request is of a replayed history.
  private var hasAnswer = false
  private var wasDismissed = false
  private var wasSubmitted = false
  private var timer: Task<Void, Never>?

  init(takenUpAt: Date? = nil) { self.takenUpAt = takenUpAt }

  /// - Parameter date: when the server sent the request; nil where it did not say.
  func step(immediate: Bool, sentAt date: Date? = nil) -> Step {
    if let takenUpAt, let date, date < takenUpAt { return .ignore }
    guard !wasSubmitted, !isShown else { return .ignore }
    if immediate { return .showNow }
    return hasAnswer && !wasDismissed ? .showAfterDelay : .ignore
  }

  /// Calls `show` after ``delay``, in place of an earlier request's wait.
  mutating func wait(by clock: TransportClock, then show: @escaping @Sendable () async -> Void) {
    timer?.cancel()
    timer = Task {
      guard (try? await clock.sleep(Self.delay)) != nil else { return }
      await show()
    }
  }

  mutating func turnEnded(_ isComplete: Bool) { hasAnswer = isComplete }

  mutating func messageSent() { hasAnswer = false }

  mutating func shown() {
    // A timer that still waits would ask twice; one that has just ended is not harmed.
    timer?.cancel()
    timer = nil
    isShown = true
  }

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
