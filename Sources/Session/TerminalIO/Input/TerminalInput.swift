import Foundation

/// The input of a program that talks with a person on its standard streams.
package enum TerminalInput {
  /// A line editor where there is a terminal to edit on; otherwise a reader of whole lines.
  ///
  /// - Parameters:
  ///   - name: The program's name in `.editrc`.
  ///   - isPlain: Whether to read whole lines in any case.
  ///   - historyFile: The file that typed messages are kept in; nil for none.
  package static func open(
    name: String, isPlain: Bool, historyFile: String?, environment: [String: String]
  ) -> any LineInput {
    let term = environment["TERM"] ?? ""
    let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    guard isTerminal, !isPlain, !term.isEmpty, term != "dumb" else { return LineReader() }
    return LineEditor(name: name, history: historyFile.map { HistoryFile(path: $0) }) ?? LineReader()
  }
}
