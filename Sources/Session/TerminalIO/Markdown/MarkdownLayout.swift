/// Sets blocks in lines of a terminal's width.
///
/// Words are placed greedily, from left to right: what stands before the last word stays where it is when text is added,
/// so that a stream may be shown as it comes (see ``MarkdownStream``).
struct MarkdownLayout {
  private(set) var characters: [StyledCharacter] = []
  let width: Int
  private var column = 0
  /// The beginning of each line, of the containers from outside to inside.
  private var prefix: [StyledCharacter] = []
  /// A list item's marker, which replaces the end of the next prefix.
  private var marker: [StyledCharacter] = []
  private var word: [StyledCharacter] = []
  private var isLineEmpty = true
  private var needsSpace = false
  /// Whether what is laid out may still change its meaning by text that follows.
  private var isOpen = false

  /// One block of the top level, without a line feed at its end. `isOpen`: text may follow in it.
  static func characters(of block: MarkdownBlock, width: Int, isOpen: Bool = false) -> [StyledCharacter] {
    var layout = MarkdownLayout(width: max(width, 8))
    layout.add(block, isOpen: isOpen)
    return layout.characters
  }

  private init(width: Int) {
    self.width = width
  }

  // MARK: Blocks

  private mutating func add(_ block: MarkdownBlock, isOpen: Bool) {
    self.isOpen = isOpen
    switch block {
    case .paragraph(let inlines): add(inlines, style: [])
    case .heading(let level, let inlines): add(inlines, style: level == 1 ? [.bold, .underlined] : .bold)
    case .code(let text): add(lines: text, indent: "  ", style: .code)
    case .html(let text): add(lines: text, indent: "", style: .dim)
    case .quote(let blocks): within("│ ", style: .dim) { $0.add(blocks, isOpen: isOpen) }
    case .list(let start, let items): add(items, start: start, isOpen: isOpen)
    case .table(let table): add(lines: MarkdownTableLayout(table, width: width - prefix.count).lines)
    case .rule: add(lines: [Array("───".map { StyledCharacter($0, .dim) })])
    }
  }

  /// Paragraphs are a line apart, all else follows closely.
  private mutating func add(_ blocks: [MarkdownBlock], isOpen: Bool) {
    for (index, block) in blocks.enumerated() {
      if index > 0 {
        newLine()
        if case .paragraph = block, case .paragraph = blocks[index - 1] { newLine() }
      }
      add(block, isOpen: isOpen && index == blocks.count - 1)
    }
  }

  private mutating func add(_ items: [[MarkdownBlock]], start: Int?, isOpen: Bool) {
    for (index, item) in items.enumerated() {
      if index > 0 { newLine() }
      let label = start.map { String($0 &+ index) + ". " } ?? "• "
      marker += label.map { StyledCharacter($0) }
      within(String(repeating: " ", count: label.count), style: []) { layout in
        layout.add(item, isOpen: isOpen && index == items.count - 1)
        // An empty item shows its marker all the same.
        if item.isEmpty { layout.beginLine() }
      }
    }
  }

  private mutating func within(_ text: String, style: TextStyle, _ body: (inout Self) -> Void) {
    // Nesting may not take all of the line.
    let isDeep = prefix.count + text.count > width / 2
    if !isDeep { prefix += text.map { StyledCharacter($0, style) } }
    body(&self)
    if !isDeep { prefix.removeLast(text.count) }
  }

  // MARK: Lines

  private mutating func beginLine() {
    guard isLineEmpty else { return }
    isLineEmpty = false
    characters += prefix.dropLast(min(marker.count, prefix.count)) + marker
    column = TerminalWidth.cells((prefix.dropLast(min(marker.count, prefix.count)) + marker).map(\.character))
    marker = []
  }

  private mutating func newLine() {
    characters.append(StyledCharacter("\n"))
    isLineEmpty = true
    needsSpace = false
    column = 0
  }

  private mutating func add(lines text: String, indent: String, style: TextStyle) {
    let text = text.hasSuffix("\n") ? text.dropLast() : text[...]
    add(
      lines: text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        line.isEmpty ? [] : (indent + line).map { StyledCharacter($0, style) }
      })
  }

  /// Lines that are as long as they are.
  private mutating func add(lines: [[StyledCharacter]]) {
    for (index, line) in lines.enumerated() {
      if index > 0 { newLine() }
      beginLine()
      characters += line
    }
  }

  // MARK: Words

  private mutating func add(_ inlines: [MarkdownInline], style: TextStyle) {
    beginLine()
    walk(inlines, style: style)
    place()
  }

  private mutating func walk(_ inlines: [MarkdownInline], style: TextStyle) {
    for inline in inlines {
      switch inline {
      case .text(let text): add(text, style: style, isTentative: isOpen)
      case .code(let text): add(text, style: style.union(.code))
      case .html(let text): add(text, style: style.union(.dim))
      case .softBreak: place()
      case .hardBreak:
        place()
        newLine()
        beginLine()
      case .emphasis(let children): walk(children, style: style.union(.italic))
      case .strong(let children): walk(children, style: style.union(.bold))
      case .struck(let children): walk(children, style: style.union(.struck))
      case .link(let children, let url):
        walk(children, style: style.union(.underlined))
        let words = Self.text(of: children)
        // Where a link leads is never hidden behind its words.
        if ![words, "http://" + words, "mailto:" + words].contains(url), !url.isEmpty {
          add(" (\(url))", style: style.union(.dim))
        }
      case .image(let children, let url):
        add("[image: \(Self.text(of: children))] (\(url))", style: style.union(.dim))
      }
    }
  }

  private static func text(of inlines: [MarkdownInline]) -> String {
    inlines.reduce(into: "") { text, inline in
      switch inline {
      case .text(let words), .code(let words), .html(let words): text += words
      case .softBreak, .hardBreak: text += " "
      case .emphasis(let children), .strong(let children), .struck(let children): text += Self.text(of: children)
      case .link(let children, _), .image(let children, _): text += Self.text(of: children)
      }
    }
  }

  private mutating func add(_ text: String, style: TextStyle, isTentative: Bool = false) {
    for character in text {
      if character.isWhitespace {
        place()
      } else if TerminalWidth.cells(character) == 2 {
        // Between wide characters a line may end without a space.
        placeBefore()
        word.append(StyledCharacter(character, style, isTentative: isTentative))
        placeBefore()
      } else {
        word.append(StyledCharacter(character, style, isTentative: isTentative))
      }
    }
  }

  /// Sets the word that is complete, and a space before the next one.
  private mutating func place() {
    placeBefore()
    needsSpace = !isLineEmpty
  }

  /// Sets the word; the next one may follow without a space.
  private mutating func placeBefore() {
    guard !word.isEmpty else { return }
    let cells = TerminalWidth.cells(word.map(\.character))
    let hasText = column > TerminalWidth.cells(prefix.map(\.character))
    if hasText, column + (needsSpace ? 1 : 0) + cells > width {
      newLine()
      beginLine()
    } else if needsSpace, hasText {
      characters.append(StyledCharacter(" "))
      column += 1
    }
    needsSpace = false
    characters += word
    column += cells
    // A word longer than the line continues where the terminal breaks it.
    if column > width { column = (column - 1) % width + 1 }
    word = []
  }
}
