/// A block of a Markdown document (GitHub Flavored Markdown § 3 to 5).
indirect enum MarkdownBlock: Equatable {
  case paragraph([MarkdownInline])
  case heading(level: Int, [MarkdownInline])
  case code(String)
  case html(String)
  case quote([MarkdownBlock])
  /// `start` is the first number, nil for bullets.
  case list(start: Int?, items: [[MarkdownBlock]])
  case table(MarkdownTable)
  case rule
}

/// A part of a paragraph (GitHub Flavored Markdown § 6).
indirect enum MarkdownInline: Equatable {
  case text(String)
  case code(String)
  case html(String)
  case softBreak
  case hardBreak
  case emphasis([MarkdownInline])
  case strong([MarkdownInline])
  case struck([MarkdownInline])
  case link([MarkdownInline], url: String)
  case image([MarkdownInline], url: String)
}

/// A table; each row has as many cells as there are alignments.
struct MarkdownTable: Equatable {
  enum Alignment: Equatable {
    case leading, centre, trailing
  }

  var alignments: [Alignment]
  var header: [[MarkdownInline]]
  var rows: [[[MarkdownInline]]]
}
