/// A message that is typed over one or more lines: a line that ends in a backslash continues in the next.
///
/// It outlasts the prompt, so that a question in the middle of a message takes nothing of it away.
package struct MessageDraft: Equatable, Sendable {
  private var lines: [String] = []

  package init() {}

  /// Whether a line was begun that continues.
  package var isContinued: Bool { !lines.isEmpty }

  /// Takes a line; returns the whole message where it ends with that line.
  package mutating func take(_ line: String) -> String? {
    guard !line.hasSuffix("\\") else {
      lines.append(String(line.dropLast()))
      return nil
    }
    defer { lines = [] }
    return (lines + [line]).joined(separator: "\n")
  }

  /// Drops the lines that were typed.
  package mutating func discard() { lines = [] }
}
