import Foundation
import ResolveKitTerminal
import ResolveKitUI

/// The terminal that the app shows itself on, and that a person types on.
@MainActor
final class Terminal {
  private let reader = StandardInput()

  /// Whether there is a person who can be asked.
  nonisolated var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Writes text without control characters that could steer the terminal: a model may repeat the words of anybody.
  nonisolated func write(_ text: String) {
    // A closed output has no reader who could learn of the failure.
    try? FileHandle.standardOutput.write(contentsOf: Data(TerminalText.safe(text).utf8))
  }

  nonisolated static func error(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data((TerminalText.safe(text) + "\n").utf8))
  }

  /// A line; nil at the input's end.
  func line(_ question: String) async -> String? {
    write(question)
    return await reader.line()
  }

  /// A line that the terminal does not show; nil at the input's end.
  func secret(_ question: String) async -> String? {
    let answer = await SecretPrompt.during {
      write(question)
      return await reader.line()
    }
    write("\n")
    return answer
  }

  /// The answer to a question that was not expected; nil where it is withdrawn, and at the input's end.
  func decision(_ question: String) async -> String? {
    // What was typed before the question cannot be its answer.
    tcflush(STDIN_FILENO, TCIFLUSH)
    write(question)
    return await reader.line()
  }

  /// Ends the wait for a question's answer.
  func withdraw() { reader.withdraw() }
}
