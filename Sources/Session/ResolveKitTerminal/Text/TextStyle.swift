/// How text looks on a terminal, as ECMA-48's SGR (§ 8.3.117) and nothing beyond what every terminal has.
struct TextStyle: OptionSet, Hashable {
  var rawValue: Int

  static let bold = TextStyle(rawValue: 1 << 0)
  static let italic = TextStyle(rawValue: 1 << 1)
  static let underlined = TextStyle(rawValue: 1 << 2)
  static let struck = TextStyle(rawValue: 1 << 3)
  static let dim = TextStyle(rawValue: 1 << 4)
  /// Program code: cyan, which is legible on light and dark.
  static let code = TextStyle(rawValue: 1 << 5)

  /// The sequence that turns the style on; empty for plain text.
  var sequence: String {
    guard !isEmpty else { return "" }
    let numbers: [(TextStyle, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underlined, "4"), (.struck, "9"), (.code, "36"),
    ]
    return "\u{1B}[" + numbers.filter { contains($0.0) }.map(\.1).joined(separator: ";") + "m"
  }

  static let reset = "\u{1B}[0m"

  /// `text` in this style, with nothing left on after it.
  func applied(to text: String) -> String {
    isEmpty || text.isEmpty ? text : sequence + text + Self.reset
  }
}
