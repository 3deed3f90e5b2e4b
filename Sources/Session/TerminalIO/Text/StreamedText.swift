/// The text of a turn as it is shown: appended to, never painted over.
package struct StreamedText {
  private var shown = ""

  package init() {}

  /// More of the text, safe to print.
  package mutating func append(_ text: String) -> String {
    shown += text
    return TerminalText.safe(text)
  }

  /// Returns the new part of the whole text, and whether it continues what was shown; else the server corrected that,
  /// and all is new.
  package mutating func advance(to text: String) -> (new: String, isContinued: Bool) {
    defer { shown = text }
    // Bytes, not Characters: a combining mark may come later than its letter.
    guard text.utf8.starts(with: shown.utf8) else {
      // Space at the end, which the whole text may lack, is not worth showing everything again.
      let lacksSpaceAlone =
        shown.utf8.starts(with: text.utf8) && shown.utf8.dropFirst(text.utf8.count).allSatisfy(isSpace)
      return lacksSpaceAlone ? ("", true) : (TerminalText.safe(text), false)
    }
    return (TerminalText.safe(String(decoding: text.utf8.dropFirst(shown.utf8.count), as: UTF8.self)), true)
  }

  package mutating func reset() { shown = "" }

  private func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }
}
