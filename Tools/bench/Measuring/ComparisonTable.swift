import Foundation

/// The result of a section: a row for each contestant, each value beside its ratio to the first one named.
struct ComparisonTable: Encodable {
  struct Row: Encodable {
    var name: String
    /// The values in the order of ``ComparisonTable/columns``; nil where one cannot be measured here.
    var values: [Double?]
    /// The ratios to the row that the table is compared with.
    var ratios: [Double?] = []
  }

  var section: String
  var title: String
  var columns: [String]
  var rows: [Row]
  /// The row that ratios are to.
  var base: String?

  init(section: String, title: String, columns: [String], rows: [Row], base: String? = nil) {
    self.section = section
    self.title = title
    self.columns = columns
    self.base = base
    let compared = rows.first { $0.name == base }
    self.rows = rows.map { row in
      var row = row
      row.ratios = row.values.indices.map { index in
        guard let compared, let value = row.values[index], let other = compared.values[index], other > 0 else {
          return nil
        }
        return value / other
      }
      return row
    }
  }

  var text: String {
    let head = ["" + title] + columns.map { base == nil ? $0 : "\($0) (ratio)" }
    let body = rows.map { row in
      [row.name]
        + row.values.indices.map { index in
          let value = row.values[index].map(Self.short) ?? "n/a"
          return row.ratios[index].map { "\(value) (\(Self.short($0)))" } ?? value
        }
    }
    let lines = [head] + body
    let widths = head.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    let texts = lines.map { line in
      line.indices.map { Self.padded(line[$0], to: widths[$0], isFirst: $0 == 0) }.joined(separator: "  ")
    }
    return "\(section)\n" + texts.map { "  " + $0 + "\n" }.joined()
  }

  private static func padded(_ text: String, to width: Int, isFirst: Bool) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return isFirst ? text + space : space + text
  }

  /// Three significant digits or all of a whole number.
  private static func short(_ value: Double) -> String {
    if value.magnitude >= 100 || value == value.rounded() { return String(Int(value.rounded())) }
    return String(format: value.magnitude >= 10 ? "%.1f" : "%.2f", value)
  }

  static func json(_ benchmark: String, _ tables: [ComparisonTable], skipped: [String]) throws -> String {
    struct Document: Encodable {
      var benchmark: String
      var tables: [ComparisonTable]
      var skipped: [String]
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(
      decoding: try encoder.encode(Document(benchmark: benchmark, tables: tables, skipped: skipped)), as: UTF8.self)
  }
}
