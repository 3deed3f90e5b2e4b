import CTerminal

/// The number of cells that text takes on a terminal.
enum TerminalWidth {
  /// The width of one character: 0, 1 or 2. A cluster is as wide as its widest scalar; an emoji presentation makes it
  /// 2.
  static func cells(_ character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      if scalar.isASCII {
        width = max(width, scalar.value < 0x20 || scalar.value == 0x7F ? 0 : 1)
      } else {
        // U+FE0F asks for the coloured picture, and two regional indicators are a flag.
        if scalar.value == 0xFE0F || (0x1F1E6...0x1F1FF).contains(scalar.value) { return 2 }
        width = max(width, Int(cterminal_width(scalar.value)))
      }
    }
    return min(width, 2)
  }

  static func cells(_ text: some Sequence<Character>) -> Int {
    text.reduce(0) { $0 + cells($1) }
  }
}
