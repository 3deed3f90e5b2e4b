import CQRCode

/// A QR code (ISO/IEC 18004): a square of dark and light modules that a camera reads as a text.
package struct QRCode: Hashable, Sendable {
  /// The text is too long for a code.
  package struct TooLong: Error, CustomStringConvertible, Sendable {
    package let description: String
  }

  /// Light modules around the code, without which no camera finds it (ISO/IEC 18004 § 9.1).
  static let quietZone = 4
  /// Rows and columns of the largest code, version 40.
  package static let maximumWidth = 177

  /// Rows and columns, without the quiet zone.
  package let width: Int
  /// Row by row.
  private let modules: [Bool]

  /// The lowest level of error correction: a screen has no dirt on it, and the code has to fit on a terminal.
  package init(_ text: String) throws(TooLong) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, let code = QRcode_encodeData(Int32(clamping: bytes.count), bytes, 0, QR_ECLEVEL_L) else {
      throw TooLong(description: "A text of \(bytes.count) bytes does not fit into a QR code.")
    }
    defer { QRcode_free(code) }
    width = Int(code.pointee.width)
    // The lowest bit of a module is its colour; the others are its purpose.
    modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
  }

  /// Reads rows of `1` for dark and `0` for light; nil where they are no square.
  package init?(rows: [String]) {
    guard !rows.isEmpty, rows.count <= Self.maximumWidth,
      rows.allSatisfy({ row in row.utf8.count == rows.count && row.utf8.allSatisfy { $0 == 0x30 || $0 == 0x31 } })
    else { return nil }
    width = rows.count
    modules = rows.flatMap { row in row.utf8.map { $0 == 0x31 } }
  }

  package var rows: [String] {
    (0..<width).map { row in (0..<width).map { isDark(row: row, column: $0) ? "1" : "0" }.joined() }
  }

  /// The colour of a module; light outside the code, in its quiet zone.
  func isDark(row: Int, column: Int) -> Bool {
    let columns = 0..<width
    guard columns.contains(row), columns.contains(column) else { return false }
    return modules[row * width + column]
  }
}
