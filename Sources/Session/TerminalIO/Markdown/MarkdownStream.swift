/// Markdown that is shown while it is written: styled, appended to, never painted over.
///
/// A block is read again whenever more of it comes, and what has become certain is given out: the words before the last
/// one, and nothing from a delimiter on that may still be closed, such as the `**` of bold text. A table is given out when
/// it is complete, since its widths are not known before.
package struct MarkdownStream {
  /// Bytes of one block beyond which it is shown as it is written, unstyled; bounds time and memory.
  static let blockLimit = 32 << 10
  /// Characters that may wait for a delimiter to be closed.
  static let holdLimit = 600

  /// The width of blocks that are not begun yet, and of the one that is.
  private var width: Int
  private var blockWidth: Int
  /// The source that was received and belongs to no finished block.
  private var source = ""
  /// The length of ``source`` when it was last read.
  private var readLength = 0
  /// The characters of the open block that were given out.
  private var shown: [Character] = []
  private var hasShownBlock = false
  private var isVerbatim = false

  package init(width: Int) {
    self.width = width
    blockWidth = width
  }

  /// Takes more text and returns what to print, without a line feed at its end. A new width holds from the next block on:
  /// what is printed stays as it is.
  package mutating func append(_ text: String, width: Int) -> String {
    self.width = width
    source += text
    let length = source.utf8.count
    // Reading again at each byte would make the cost of a long block quadratic.
    guard length - readLength >= max(1, length / 64) || text.contains("\n") else { return "" }
    return advance(isFinal: false)
  }

  /// Returns all that is left; text that follows is a new document.
  package mutating func finish() -> String {
    defer { self = MarkdownStream(width: width) }
    return advance(isFinal: true)
  }

  private mutating func advance(isFinal: Bool) -> String {
    readLength = source.utf8.count
    if isVerbatim { return verbatim() }
    var text = isFinal ? source[...] : MarkdownTail.readable(source)
    var items = MarkdownParser.parse(text)
    guard let last = items.last else { return "" }
    var output: [StyledCharacter] = []
    if !isFinal { items.removeLast() }
    for item in items {
      if shown.isEmpty { blockWidth = width }
      output += rest(of: MarkdownLayout.characters(of: item.block, width: blockWidth), upTo: .max)
      shown = []
    }
    if !isFinal {
      if !items.isEmpty {
        let start = MarkdownTail.start(ofLine: last.startLine, in: source)
        let readable = text.endIndex
        text = source[start..<max(start, readable)]
        source.removeSubrange(..<start)
        readLength = source.utf8.count
      }
      if shown.isEmpty { blockWidth = width }
      let characters = MarkdownLayout.characters(of: last.block, width: blockWidth, isOpen: true)
      isVerbatim = text.utf8.count > Self.blockLimit
      let certain = isVerbatim ? .max : MarkdownTail.certain(characters, of: last.block, written: text)
      output += rest(of: characters, upTo: certain)
      if isVerbatim {
        source.removeFirst(text.count)
        // Layout leaves out the space that stands at its end.
        let space = text.last == "\n" ? "\n" : text.last?.isWhitespace ?? false ? " " : ""
        return output.escaped + space + verbatim()
      }
    }
    return output.escaped
  }

  /// The characters that were not given out yet, up to a length of the whole block.
  private mutating func rest(of characters: [StyledCharacter], upTo limit: Int) -> [StyledCharacter] {
    let limit = min(limit, characters.count)
    guard !characters.isEmpty, limit > 0 else { return [] }
    if shown.isEmpty {
      let separator = hasShownBlock ? [StyledCharacter("\n"), StyledCharacter("\n")] : []
      hasShownBlock = true
      shown = characters[..<limit].map(\.character)
      return separator + characters[..<limit]
    }
    let isContinued = characters.count >= shown.count && zip(characters, shown).allSatisfy { $0.character == $1 }
    if isContinued {
      guard limit > shown.count else { return [] }
      defer { shown = characters[..<limit].map(\.character) }
      return Array(characters[shown.count..<limit])
    }
    // Later text gave the beginning another meaning; this is rare, and written again in full.
    shown = characters[..<limit].map(\.character)
    return [StyledCharacter("\n")] + characters[..<limit]
  }

  /// The rest of a block that is too long to be read again and again.
  private mutating func verbatim() -> String {
    defer {
      source = ""
      readLength = 0
    }
    return source
  }
}
