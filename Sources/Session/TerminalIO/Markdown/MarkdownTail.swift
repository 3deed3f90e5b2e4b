/// Rules for text whose end has not come yet.
enum MarkdownTail {
  /// The text without a last line that could still be anything: only a line with a letter in it, and no fence, is sure not
  /// to be a rule, an underline, a list's marker or a table's second line.
  static func readable(_ source: String) -> Substring {
    let start = source.lastIndex(of: "\n").map { source.index(after: $0) } ?? source.startIndex
    let line = source[start...].drop { " \t>".contains($0) }
    let isFence = line.hasPrefix("```") || line.hasPrefix("~~~")
    guard !isFence, line.contains(where: \.isLetter) else { return source[..<start] }
    return source[...]
  }

  /// The beginning of a line; lines count from 1.
  static func start(ofLine number: Int, in source: String) -> String.Index {
    let bytes = source.utf8
    var index = bytes.startIndex
    for _ in 1..<max(number, 1) {
      guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) else { return bytes.endIndex }
      index = bytes.index(after: end)
    }
    return index
  }

  /// The number of characters of the open block that stay as they are, whatever follows. `written` is its source.
  static func certain(_ characters: [StyledCharacter], of block: MarkdownBlock, written: Substring) -> Int {
    switch open(block) {
    case .table: return 0
    case .code, .html, .rule: return characters.count
    case .list, .quote: return characters.count
    case .paragraph, .heading: break
    }
    if mayBecomeTable(written) { return 0 }
    var certain = characters.count
    let isWordComplete = written.last?.isWhitespace ?? true
    if !isWordComplete {
      // The last character may grow: a mark or a joiner makes one with it.
      certain =
        characters.dropLast().lastIndex { $0.character.isWhitespace || TerminalWidth.cells($0.character) == 2 } ?? -1
      if certain >= 0, !characters[certain].character.isWhitespace { certain += 1 }
      certain = max(certain, 0)
    } else if characters.last?.character == "\\" {
      // A backslash at a line's end is a line break, if a line follows.
      certain -= 1
    }
    if let opener = firstOpener(in: characters), opener < certain,
      characters.count - opener <= MarkdownStream.holdLimit
    {
      certain = opener
    }
    // Spaces come with the word that they stand before.
    while certain > 0, characters[certain - 1].character.isWhitespace { certain -= 1 }
    return certain
  }

  /// The block that text which follows would continue with.
  private static func open(_ block: MarkdownBlock) -> MarkdownBlock {
    switch block {
    case .quote(let blocks): blocks.last.map(open) ?? block
    case .list(_, let items): items.last?.last.map(open) ?? block
    case .paragraph, .heading, .code, .html, .table, .rule: block
    }
  }

  /// A line with a bar is a table's head if the next one is of dashes.
  private static func mayBecomeTable(_ source: Substring) -> Bool {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false).suffix(2)
    return lines.contains { $0.contains("|") }
  }

  /// The first delimiter in plain text that a later one could close (GitHub Flavored Markdown § 6.2 to 6.9).
  private static func firstOpener(in characters: [StyledCharacter]) -> Int? {
    for (index, styled) in characters.enumerated() where styled.isTentative {
      let next = index + 1 < characters.count ? characters[index + 1].character : " "
      let previous = index > 0 ? characters[index - 1].character : " "
      switch styled.character {
      case "*" where !next.isWhitespace: return index
      case "_" where !next.isWhitespace && !previous.isLetter && !previous.isNumber: return index
      case "~" where next == "~", "!" where next == "[": return index
      case "`": return index
      case "[":
        guard let close = characters[index...].firstIndex(where: { $0.character == "]" }) else { return index }
        // A bracket that nothing leads on from is text.
        if close + 1 >= characters.count || "([:".contains(characters[close + 1].character) { return index }
      case "<" where next.isLetter || next == "/" || next == "!" || next == "?":
        if !characters[index...].contains(where: { $0.character == ">" }) { return index }
      default: continue
      }
    }
    return nil
  }
}
