/// A table of a report, before it is HTML, Markdown or plain text.
struct Table: Hashable, Sendable {
  struct Column: Hashable, Sendable {
    var heading: String
    var unit: String
    var isNumber: Bool
    /// For sentences: it keeps a readable width where the table scrolls.
    var isWide: Bool

    init(_ heading: String, unit: String = "", isNumber: Bool = false, isWide: Bool = false) {
      self.heading = heading
      self.unit = unit
      self.isNumber = isNumber
      self.isWide = isWide
    }
  }

  struct Cell: Hashable, Sendable {
    enum Emphasis: String, Hashable, Sendable {
      case none, good, bad, quiet, strong
    }

    var text: String
    /// The interval of the number, or what else stands small beside the text.
    var detail: String?
    var emphasis = Emphasis.none
    /// The arm whose mark stands before the text.
    var style: SeriesStyle?

    init(_ text: String, detail: String? = nil, emphasis: Emphasis = .none, style: SeriesStyle? = nil) {
      self.text = text
      self.detail = detail
      self.emphasis = emphasis
      self.style = style
    }
  }

  var title: String
  var columns: [Column]
  var rows: [[Cell]]
  /// A note below the table that explains how to read it.
  var note: String?

  static let notMeasured = Cell("–", emphasis: .quiet)
}
