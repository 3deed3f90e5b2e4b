/// Text for a terminal: nothing that moves the cursor, and lines that fit.
enum PlainText {
  static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in clean(text).split(separator: " ") {
      for piece in pieces(word, width: width) {
        if line.isEmpty {
          line = piece
        } else if columns(line) + 1 + columns(piece) <= width {
          line += " " + piece
        } else {
          lines.append(line)
          line = piece
        }
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Pads a text with spaces to this width, or cuts it with an ellipsis if it is too long.
  static func padded(_ text: String, to width: Int, atEnd: Bool = false) -> String {
    var text = clean(text)
    if columns(text) >= width {
      while columns(text) > width - 2, !text.isEmpty { text.removeLast() }
      text += "…"
    }
    let room = String(repeating: " ", count: max(0, width - columns(text)))
    return atEnd ? room + text : text + room
  }

  /// The columns that a text takes in a terminal: characters beyond Latin, Greek and Cyrillic may take two.
  static func columns(_ text: String) -> Int {
    text.reduce(0) { total, character in
      let value = character.unicodeScalars.first?.value ?? 0
      return total
        + (value < 0x1100 || (0x2000..<0x2E80).contains(value) && character.unicodeScalars.count == 1 ? 1 : 2)
    }
  }

  private static func clean(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{202F}", "\u{A0}", "\n", "\r", "\t": result += " "
      case "−": result += "-"
      default: result.unicodeScalars.append(XMLText.isAllowed(scalar) ? scalar : "\u{FFFD}")
      }
    }
    return result
  }

  private static func pieces(_ word: Substring, width: Int) -> [String] {
    var pieces: [String] = []
    var piece = ""
    for character in word {
      if columns(piece + String(character)) > width {
        pieces.append(piece)
        piece = ""
      }
      piece.append(character)
    }
    return pieces + [piece]
  }
}
