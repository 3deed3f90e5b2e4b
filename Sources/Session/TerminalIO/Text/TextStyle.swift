/// The look of text on a terminal, as ECMA-48's SGR (§ 8.3.117) and nothing beyond what every terminal has.
package struct TextStyle: OptionSet, Hashable, Sendable {
  package var rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let bold = TextStyle(rawValue: 1 << 0)
  package static let italic = TextStyle(rawValue: 1 << 1)
  package static let underlined = TextStyle(rawValue: 1 << 2)
  package static let struck = TextStyle(rawValue: 1 << 3)
  package static let dim = TextStyle(rawValue: 1 << 4)
  /// Program code: cyan, which is legible on light and dark.
  package static let code = TextStyle(rawValue: 1 << 5)

  /// The sequence that turns the style on; empty for plain text.
  var sequence: String {
    guard !isEmpty else { return "" }
    let numbers: [(TextStyle, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underlined, "4"), (.struck, "9"), (.code, "36"),
    ]
    return "\u{1B}[" + numbers.filter { contains($0.0) }.map(\.1).joined(separator: ";") + "m"
  }

  package static let reset = "\u{1B}[0m"

  /// `text` in this style, with nothing left on after it.
  package func applied(to text: String) -> String {
    isEmpty || text.isEmpty ? text : sequence + text + Self.reset
  }
}
