/// The text of a turn as it is shown: appended to, never painted over.
struct StreamedText {
  private(set) var shown = ""

  /// What to print so that the reader has `text`; starts anew on a line of its own where the server corrected what was
  /// shown already.
  mutating func advance(to text: String) -> String {
    defer { shown = text }
    // Bytes, not Characters: a combining mark may come later than its letter.
    guard text.utf8.starts(with: shown.utf8) else { return "\n" + TerminalText.safe(text) }
    return TerminalText.safe(String(decoding: text.utf8.dropFirst(shown.utf8.count), as: UTF8.self))
  }

  mutating func reset() { shown = "" }
}
