/// Text that Markdown shows verbatim, with as few escapes as possible: people read the source too.
enum MarkdownText {
  static func escaped(_ text: String) -> String {
    let characters = Array(text)
    var result = ""
    for (index, character) in characters.enumerated() {
      let before = index > 0 ? characters[index - 1] : nil
      let after = index + 1 < characters.count ? characters[index + 1] : nil
      if isSpecial(character, before: before, after: after) { result += "\\" }
      if character.isNewline {
        result += " "
      } else {
        for scalar in character.unicodeScalars {
          result.unicodeScalars.append(XMLText.isAllowed(scalar) ? scalar : "\u{FFFD}")
        }
      }
    }
    return result
  }

  private static func isSpecial(_ character: Character, before: Character?, after: Character?) -> Bool {
    switch character {
    case "\\", "`", "*", "<", "|", "~": true
    // Within a word it is no emphasis.
    case "_": !(isWord(before) && isWord(after))
    // Only these begin a link or its definition.
    case "]": after == "(" || after == "[" || after == ":"
    case "!": after == "["
    case "&": after.map { $0.isLetter || $0 == "#" } ?? false
    case "#", ">", "-", "+", "=": before == nil
    default: false
    }
  }

  private static func isWord(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0.isNumber } ?? false
  }

  static func cell(_ text: String) -> String {
    text.isEmpty ? " " : escaped(text)
  }

  /// A block of code whose fence is longer than any in it.
  static func block(_ text: String) -> String {
    var longest = 0
    var run = 0
    for character in text {
      run = character == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return fence + "sh\n" + text + "\n" + fence
  }
}
