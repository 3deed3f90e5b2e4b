import Foundation

/// A renderer's text and its place.
package enum TerminalOutput: Equatable, Sendable {
  /// Text for standard output: the answer, or JSON lines.
  case answer(String)
  /// Text for standard error: everything else.
  case status(String)

  /// A line of status, with its text made safe for a terminal and the newline added.
  package static func statusLine(_ words: String, style: OutputStyle) -> TerminalOutput {
    let line = TerminalText.line(words)
    return .status((style == .styled ? TextStyle.dim.applied(to: line) : line) + "\n")
  }

  package var text: String {
    switch self {
    case .answer(let text), .status(let text): text
    }
  }

  /// Writes it at once, unbuffered; ends the program with status 1 when nobody can read the answer any more.
  package func write() {
    switch self {
    case .answer(let text):
      do {
        try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
      } catch {
        TerminalOutput.status("Standard output cannot be written; the answer is in the backend's log.\n").write()
        exit(1)
      }
    case .status(let text):
      // Without standard error there is nowhere left to report to.
      try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
  }
}
