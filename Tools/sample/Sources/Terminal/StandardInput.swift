import Foundation

/// Reads the lines of standard input on a thread of its own, so that the conversation continues while a person thinks.
@MainActor
final class StandardInput {
  private var waiter: CheckedContinuation<String?, Never>?
  private var isReading = false

  /// The next line; nil at the input's end, and where the question is withdrawn.
  ///
  /// A read cannot be taken back: after a withdrawal, the line that comes answers the next question.
  func line() async -> String? {
    await withCheckedContinuation { continuation in
      waiter?.resume(returning: nil)
      waiter = continuation
      // A task that was cancelled before it asked wants no answer.
      if Task.isCancelled { return withdraw() }
      if !isReading { read() }
    }
  }

  func withdraw() { answer(nil) }

  private func read() {
    isReading = true
    Thread.detachNewThread {
      let line = readLine(strippingNewline: true)
      Task { @MainActor in
        self.isReading = false
        self.answer(line)
      }
    }
  }

  private func answer(_ line: String?) {
    waiter?.resume(returning: line)
    waiter = nil
  }
}
