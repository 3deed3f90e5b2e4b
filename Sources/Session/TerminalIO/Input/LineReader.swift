import CTerminal
import Foundation
import Synchronization

/// Reads lines on a thread of its own, for a terminal without editing: a blocked read must not hold up the conversation.
///
/// The terminal stays in its own line mode, so there is nothing to restore at the end.
package final class LineReader: LineInput {
  private struct State {
    var waiter: CheckedContinuation<LineAnswer, Never>?
    var isReading = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "chat.input")
  private let read: @Sendable () -> String?

  package init(read: @escaping @Sendable () -> String? = { readLine(strippingNewline: true) }) {
    self.read = read
  }

  /// Waits for a line. A read can't be taken back, so a question that nobody wants answered any more leaves its line to
  /// the next one.
  package func line(_ prompt: LinePrompt) async -> LineAnswer {
    if prompt.purpose == .decision { cterminal_forget_input(0) }
    write(.status(prompt.text))
    return await withCheckedContinuation { continuation in
      let (overtaken, mustRead) = state.withLock { state in
        defer {
          state.waiter = continuation
          state.isReading = true
        }
        return (state.waiter, !state.isReading)
      }
      overtaken?.resume(returning: .overtaken)
      if mustRead { queue.async { self.deliver(self.read().map { .line($0) } ?? .end) } }
      // A caller that withdrew it before it was asked had cancelled its task.
      if Task.isCancelled { withdraw() }
    }
  }

  package func withdraw() { giveUp(.overtaken) }
  package func interrupt() { giveUp(.interrupted) }
  package func remember(_ message: String) {}
  package func write(_ output: TerminalOutput) { output.write() }
  package func terminalChanged(_ change: TerminalChange) {}

  private func giveUp(_ answer: LineAnswer) {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      return state.waiter
    }
    guard let waiter else { return }
    write(.status("\n"))
    waiter.resume(returning: answer)
  }

  private func deliver(_ answer: LineAnswer) {
    let waiter = state.withLock { state in
      defer { state = State() }
      return state.waiter
    }
    waiter?.resume(returning: answer)
  }
}
