import Foundation

extension QRCode {
  /// Pixels of a module, in each direction.
  private static let scale = 4

  /// The code with its quiet zone as a PNG image in a `data:` URL.
  package var dataURL: String { "data:image/png;base64," + Data(png).base64EncodedString() }

  var png: [UInt8] {
    let side = (width + 2 * Self.quietZone) * Self.scale
    let rows = (0..<side).map { y in
      (0..<side).map { x in
        isDark(row: y / Self.scale - Self.quietZone, column: x / Self.scale - Self.quietZone)
      }
    }
    return BilevelPNG(rows).bytes
  }
}
