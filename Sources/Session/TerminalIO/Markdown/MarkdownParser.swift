import CTerminal

/// Markdown as cmark-gfm reads it, in Swift's values: no node of the library leaves this file.
enum MarkdownParser {
  struct Item: Equatable {
    var block: MarkdownBlock
    /// Counted from 1.
    var startLine: Int
  }

  /// Nesting beyond this is shown as plain text: text of a model must not exhaust the stack.
  private static let depthLimit = 24

  /// The blocks of the document's top level.
  static func parse(_ source: some StringProtocol) -> [Item] {
    var source = String(source)
    let document = source.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { cterminal_markdown_parse($0.baseAddress, $0.count) }
    }
    guard let document else { return [] }
    defer { cmark_node_free(document) }
    return children(document).compactMap { node in
      block(node, depth: 0).map { Item(block: $0, startLine: Int(cmark_node_get_start_line(node))) }
    }
  }

  private static func children(_ node: OpaquePointer) -> UnfoldSequence<OpaquePointer, OpaquePointer?> {
    sequence(state: cmark_node_first_child(node)) { next in
      defer { next = next.flatMap { cmark_node_next($0) } }
      return next
    }
  }

  private static func block(_ node: OpaquePointer, depth: Int) -> MarkdownBlock? {
    guard depth < depthLimit else { return .paragraph([.text(literals(in: node))]) }
    switch cmark_node_get_type(node) {
    case CMARK_NODE_PARAGRAPH: return .paragraph(inlines(node, depth: depth + 1))
    case CMARK_NODE_HEADING:
      return .heading(level: Int(cmark_node_get_heading_level(node)), inlines(node, depth: depth + 1))
    case CMARK_NODE_CODE_BLOCK: return .code(literal(node))
    case CMARK_NODE_HTML_BLOCK: return .html(literal(node))
    case CMARK_NODE_BLOCK_QUOTE: return .quote(blocks(node, depth: depth + 1))
    case CMARK_NODE_LIST:
      let isOrdered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
      return .list(
        start: isOrdered ? Int(cmark_node_get_list_start(node)) : nil,
        items: children(node).map { blocks($0, depth: depth + 2) })
    case CMARK_NODE_THEMATIC_BREAK: return .rule
    default: return typeName(node) == "table" ? table(node, depth: depth + 1) : nil
    }
  }

  private static func blocks(_ node: OpaquePointer, depth: Int) -> [MarkdownBlock] {
    children(node).compactMap { block($0, depth: depth) }
  }

  private static func table(_ node: OpaquePointer, depth: Int) -> MarkdownBlock {
    let columns = Int(cmark_gfm_extensions_get_table_columns(node))
    let letters = cmark_gfm_extensions_get_table_alignments(node)
    let alignments = (0..<columns).map { column -> MarkdownTable.Alignment in
      switch letters?[column] {
      case UInt8(ascii: "c"): .centre
      case UInt8(ascii: "r"): .trailing
      default: .leading
      }
    }
    var rows = children(node).map { row in
      let cells = children(row).map { inlines($0, depth: depth) }
      return Array((cells + Array(repeating: [], count: max(0, columns - cells.count))).prefix(columns))
    }
    let header = rows.isEmpty ? [] : rows.removeFirst()
    return .table(MarkdownTable(alignments: alignments, header: header, rows: rows))
  }

  private static func inlines(_ node: OpaquePointer, depth: Int) -> [MarkdownInline] {
    guard depth < depthLimit else { return [.text(literals(in: node))] }
    return children(node).compactMap { inline($0, depth: depth) }
  }

  private static func inline(_ node: OpaquePointer, depth: Int) -> MarkdownInline? {
    switch cmark_node_get_type(node) {
    case CMARK_NODE_TEXT: .text(literal(node))
    case CMARK_NODE_CODE: .code(literal(node))
    case CMARK_NODE_HTML_INLINE: .html(literal(node))
    case CMARK_NODE_SOFTBREAK: .softBreak
    case CMARK_NODE_LINEBREAK: .hardBreak
    case CMARK_NODE_EMPH: .emphasis(inlines(node, depth: depth + 1))
    case CMARK_NODE_STRONG: .strong(inlines(node, depth: depth + 1))
    case CMARK_NODE_LINK: .link(inlines(node, depth: depth + 1), url: text(cmark_node_get_url(node)))
    case CMARK_NODE_IMAGE: .image(inlines(node, depth: depth + 1), url: text(cmark_node_get_url(node)))
    default: typeName(node) == "strikethrough" ? .struck(inlines(node, depth: depth + 1)) : nil
    }
  }

  private static func literal(_ node: OpaquePointer) -> String { text(cmark_node_get_literal(node)) }

  /// Made safe here and not before: a character reference such as `&#27;` becomes a control only now.
  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { TerminalText.safe(String(cString: $0)) } ?? ""
  }

  private static func typeName(_ node: OpaquePointer) -> String {
    cmark_node_get_type_string(node).map { String(cString: $0) } ?? ""
  }

  /// All text below a node, without recursion.
  private static func literals(in node: OpaquePointer) -> String {
    guard let iterator = cmark_iter_new(node) else { return "" }
    defer { cmark_iter_free(iterator) }
    var words: [String] = []
    while cmark_iter_next(iterator) != CMARK_EVENT_DONE {
      guard cmark_iter_get_event_type(iterator) == CMARK_EVENT_ENTER else { continue }
      let word = literal(cmark_iter_get_node(iterator))
      if !word.isEmpty { words.append(word) }
    }
    return words.joined(separator: " ")
  }
}
