/// The outcome of a question.
package enum LineAnswer: Equatable, Sendable {
  case line(String)
  /// The end of the input (Ctrl-D).
  case end
  /// Given up by Ctrl-C, with nothing typed.
  case interrupted
  /// Given up by Ctrl-C, with something typed.
  case dropped
  /// Not wanted any more: withdrawn, or another question took its place before it was answered.
  case overtaken
}

/// The prompt of a line.
package struct LinePrompt: Equatable, Sendable {
  package enum Purpose: Equatable, Sendable {
    /// A message: earlier ones are a key away, and what was typed before the prompt came counts. What was typed of one that
    /// gave way to a question is there again afterwards, where the input can show it.
    case message
    /// A decision: what was typed before the question was seen is no answer to it.
    case decision
  }

  package var text: String
  package var purpose: Purpose

  package init(_ text: String, for purpose: Purpose) {
    self.text = text
    self.purpose = purpose
  }
}

/// A source of lines that a person types.
package protocol LineInput: Sendable {
  /// Waits for a line, one question at a time.
  func line(_ prompt: LinePrompt) async -> LineAnswer
  /// Ends the wait of the question that is open, if one is.
  func withdraw()
  /// Ctrl-C: gives up what was typed.
  func interrupt()
  /// Keeps a message for later sessions.
  func remember(_ message: String)
  /// Writes without disturbing a line that is being typed.
  func write(_ output: TerminalOutput)
  /// The terminal has a new size, or was used by others while the process was stopped.
  func terminalChanged(_ change: TerminalChange)
}

/// A change of the terminal.
package enum TerminalChange: Sendable {
  case resized
  /// The process is about to stop (Ctrl-Z).
  case suspending
  case resumed
}
