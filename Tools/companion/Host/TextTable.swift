import ResolveKitCore

/// Rows of text in columns, for a person; what could steer a terminal is an escape.
struct TextTable {
  private let rows: [[String]]

  init(head: [String], _ rows: [[String]]) { self.rows = [head] + rows.map { $0.map(\.visible) } }

  /// One line a row; the last column is as wide as its text.
  var lines: [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { index, cell in
        index == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[index] - cell.count + 2)
      }.joined()
    }
  }
}
