import Foundation
import ResolveKitTerminal
import ResolveKitUI

/// What is shown, and what is typed.
@MainActor
final class Terminal {
  private let reader = LineReader()

  /// Whether somebody is there to be asked.
  nonisolated var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Without anything in it that could steer the terminal: some of it comes from a model, which may repeat anybody's words.
  nonisolated func write(_ text: String) {
    // Who closed the output is not told any more.
    try? FileHandle.standardOutput.write(contentsOf: Data(TerminalText.safe(text).utf8))
  }

  nonisolated static func error(_ text: String) {
    TerminalOutput.status(TerminalText.safe(text) + "\n").write()
  }

  /// A line; nil at the input's end.
  func line(_ question: String) async -> String? {
    write(question)
    return Self.text(await reader.line(LinePrompt("", for: .message)))
  }

  /// A line that the terminal doesn't show; nil at the input's end.
  func secret(_ question: String) async -> String? {
    let answer = await HiddenInput.during {
      write(question)
      return await reader.line(LinePrompt("", for: .message))
    }
    write("\n")
    return Self.text(answer)
  }

  /// The answer to a question that was not expected; nil where it is withdrawn, and at the input's end.
  func decision(_ question: String) async -> String? {
    write(question)
    return Self.text(await reader.line(LinePrompt("", for: .decision)))
  }

  /// The question that is open needs no answer any more.
  func withdraw() { reader.withdraw() }

  private static func text(_ answer: LineAnswer) -> String? {
    guard case .line(let text) = answer else { return nil }
    return text
  }
}
