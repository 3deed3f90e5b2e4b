import Foundation
import Synchronization

/// Reads lines that a person types, on a thread of its own: a blocked read must not hold up the conversation.
///
/// The terminal stays in its own line mode, so there is nothing to restore at the end.
final class LineReader: Sendable {
  /// What became of a question.
  enum Answer: Equatable, Sendable {
    case line(String)
    /// The end of the input (Ctrl-D).
    case end
    /// Another question took its place before it was answered.
    case overtaken
  }

  private struct State {
    var waiter: CheckedContinuation<Answer, Never>?
    var isReading = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "chat.input")
  private let read: @Sendable () -> String?

  init(read: @escaping @Sendable () -> String? = { readLine(strippingNewline: true) }) {
    self.read = read
  }

  /// Waits for a line. A read can't be taken back, so a question that nobody wants answered any more leaves its line to
  /// the next one.
  func line() async -> Answer {
    await withCheckedContinuation { continuation in
      let (overtaken, mustRead) = state.withLock { state in
        defer {
          state.waiter = continuation
          state.isReading = true
        }
        return (state.waiter, !state.isReading)
      }
      overtaken?.resume(returning: .overtaken)
      if mustRead { queue.async { self.deliver(self.read().map { .line($0) } ?? .end) } }
    }
  }

  private func deliver(_ answer: Answer) {
    let waiter = state.withLock { state in
      defer { state = State() }
      return state.waiter
    }
    waiter?.resume(returning: answer)
  }
}
