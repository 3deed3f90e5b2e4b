/// The width of a text in an unknown font: estimated from a wide one, so that nothing overlaps.
enum TextWidth {
  static func of(_ text: String, fontSize: Double) -> Double {
    text.reduce(0) { $0 + share($1) } * fontSize
  }

  /// The text, or its beginning and an ellipsis.
  static func fitted(_ text: String, fontSize: Double, into width: Double) -> String {
    guard of(text, fontSize: fontSize) > width else { return text }
    var kept = ""
    var used = share("…")
    for character in text {
      used += share(character)
      if used * fontSize > width { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// The width as a share of the font's size; measured on DejaVu Sans, the widest of the usual fonts.
  private static func share(_ character: Character) -> Double {
    switch character {
    case "i", "j", "l", ".", ",", ":", ";", "'", "!", "|", " ", "\u{202F}", "I": 0.34
    case "f", "t", "r", "(", ")", "[", "]", "/", "-": 0.42
    case "m", "w", "M", "W", "%", "@": 0.96
    case "A"..."Z", "−", "+": 0.76
    default: character.isASCII ? 0.63 : 1
    }
  }
}
