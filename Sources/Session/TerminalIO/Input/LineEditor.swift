import CTerminal
import Dispatch
import Synchronization

/// A line editor (libedit) on a thread of its own: history, lines of several lines, bracketed paste as one message.
///
/// Between questions the terminal echoes nothing: what is typed while an answer streams waits for the next prompt, and
/// does not end up in the middle of the text.
package final class LineEditor: LineInput {
  private struct State {
    var questions = LineQuestions()
    var waiting: [TerminalOutput] = []
  }

  // Proof: the handle is used on `queue` alone, except for waking it, which C allows from any thread and happens under
  // the lock while a line is read.
  private nonisolated(unsafe) let editor: OpaquePointer
  private let interlude: Interlude
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "chat.editor")
  private let history: HistoryFile?

  /// Called by C while a line is off the screen.
  private final class Interlude: Sendable {
    let run = Mutex<(@Sendable () -> Void)?>(nil)
  }

  /// Takes over the terminal of two descriptors, by default standard input and standard error; nil where there is none that can
  /// edit.
  package init?(name: String, history: HistoryFile?, input: CInt = 0, output: CInt = 2) {
    let interlude = Interlude()
    let context = Unmanaged.passUnretained(interlude).toOpaque()
    let editor = cterminal_editor_create(
      name, input, output, CInt(HistoryFile.limit),
      { context in
        guard let context else { return }
        let run = Unmanaged<Interlude>.fromOpaque(context).takeUnretainedValue().run.withLock { $0 }
        run?()
      }, context)
    guard let editor else { return nil }
    guard cterminal_claim(input, output) == 0 else {
      cterminal_editor_destroy(editor)
      return nil
    }
    self.editor = editor
    self.interlude = interlude
    self.history = history
    for message in history?.load() ?? [] { cterminal_editor_remember(editor, message) }
    interlude.run.withLock { run in
      run = { [weak self] in self?.writeWaiting() }
    }
  }

  deinit {
    cterminal_editor_destroy(editor)
    cterminal_release()
  }

  package func line(_ prompt: LinePrompt) async -> LineAnswer {
    let number = state.withLock { state in
      let (number, overtakes) = state.questions.ask()
      if overtakes { cterminal_editor_wake(editor, CTERMINAL_WAKE_WITHDRAW) }
      return number
    }
    // A caller that withdrew it before it was asked had cancelled its task.
    if Task.isCancelled { withdraw() }
    return await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: self.read(prompt, number))
      }
    }
  }

  private func read(_ prompt: LinePrompt, _ number: Int) -> LineAnswer {
    if let early = state.withLock({ $0.questions.begin(number) }) { return early }
    var text: UnsafePointer<CChar>?
    var length = 0
    let outcome = cterminal_editor_read(editor, prompt.text, prompt.purpose == .message, &text, &length)
    state.withLock { state in
      state.questions.end(number)
      cterminal_editor_forget_wakes(editor)
    }
    // libedit has given the terminal its line mode back.
    cterminal_resume()
    writeWaiting()
    switch outcome {
    case CTERMINAL_LINE:
      let bytes = UnsafeRawBufferPointer(start: text, count: length)
      return .line(String(decoding: bytes, as: UTF8.self))
    case CTERMINAL_INTERRUPTED: return .interrupted
    case CTERMINAL_DROPPED: return .dropped
    case CTERMINAL_WITHDRAWN: return .overtaken
    default: return .end
    }
  }

  package func withdraw() { giveUp(CTERMINAL_WAKE_WITHDRAW, .overtaken) }
  package func interrupt() { giveUp(CTERMINAL_WAKE_INTERRUPT, .interrupted) }

  private func giveUp(_ reason: cterminal_wake, _ answer: LineAnswer) {
    state.withLock { state in
      if state.questions.giveUp(answer) { cterminal_editor_wake(editor, reason) }
    }
  }

  package func terminalChanged(_ change: TerminalChange) {
    switch change {
    case .resized: wake(CTERMINAL_WAKE_RESIZE)
    case .suspending: cterminal_restore()
    case .resumed:
      if !wake(CTERMINAL_WAKE_RESUME) { cterminal_resume() }
    }
  }

  package func remember(_ message: String) {
    queue.async { cterminal_editor_remember(self.editor, message) }
    history?.append(message)
  }

  package func write(_ output: TerminalOutput) {
    state.withLock { state in
      // What waits is written first, also where the line was read meanwhile.
      guard state.questions.isReading || !state.waiting.isEmpty else { return output.write() }
      // One interlude writes all that waits for it.
      if state.questions.isReading, state.waiting.isEmpty { cterminal_editor_wake(editor, CTERMINAL_WAKE_INTERLUDE) }
      state.waiting.append(output)
    }
  }

  @discardableResult
  private func wake(_ reason: cterminal_wake) -> Bool {
    state.withLock { state in
      guard state.questions.isReading else { return false }
      cterminal_editor_wake(editor, reason)
      return true
    }
  }

  private func writeWaiting() {
    state.withLock { state in
      for output in state.waiting { output.write() }
      // The prompt comes on a line of its own.
      if let last = state.waiting.last, !last.text.hasSuffix("\n") { TerminalOutput.status("\n").write() }
      state.waiting = []
    }
  }
}
