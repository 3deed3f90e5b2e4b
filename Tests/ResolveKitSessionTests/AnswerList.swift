import Synchronization

/// Answers that are given one after the other, and nil from then on.
final class AnswerList: Sendable {
  private let answers: Mutex<[Duration?]>

  init(_ answers: [Duration?]) { self.answers = Mutex(answers) }

  func next() -> Duration? {
    answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}
