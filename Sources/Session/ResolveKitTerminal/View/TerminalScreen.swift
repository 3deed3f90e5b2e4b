import Foundation
import ResolveKitCore

/// Lines beside an answer, written so that a line that is being typed stays whole.
@MainActor
struct TerminalScreen {
  let input: any LineInput
  /// The style of everything but the answer.
  let style: OutputStyle

  /// The width of the terminal that lines are written to; without one they are not broken.
  var columns: Int { isatty(STDERR_FILENO) == 1 ? TerminalSize.columns() : .max }

  func write(_ output: TerminalOutput) { input.write(output) }

  /// Writes a line of status.
  func write(line: String) { write(TerminalOutput.statusLine(line, style: style)) }

  /// Writes a remark of the program's own, in brackets.
  func note(_ words: String) { write(line: "[\(words)]") }
}
