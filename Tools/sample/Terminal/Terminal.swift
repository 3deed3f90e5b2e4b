import Foundation

/// What is shown, without anything in it that could steer the terminal.
enum Terminal {
  static func write(_ text: String) {
    // Who closed the output is not told any more.
    try? FileHandle.standardOutput.write(contentsOf: Data(safe(text).utf8))
  }

  static func error(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data((safe(text) + "\n").utf8))
  }

  /// `text` without control characters (ECMA-48 § 5.2 and 5.3) but line feed and tab, and without overrides of the
  /// direction of writing: it comes from a model, which may repeat anybody's words.
  static func safe(_ text: String) -> String {
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0A: safe.append(scalar)
      case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: continue
      default: safe.append(scalar)
      }
    }
    return String(safe)
  }
}
