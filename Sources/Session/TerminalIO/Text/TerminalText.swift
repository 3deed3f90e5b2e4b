/// Text of a model, a tool or a server made safe to print on a terminal.
public enum TerminalText {
  /// `text` without C0 and C1 controls (ECMA-48 § 5.2 and 5.3), except line feed and tab.
  ///
  /// With the escape character gone, what is left of a control sequence is harmless letters: it can't set the title,
  /// write to the clipboard (OSC 52) or move the cursor. Bidirectional overrides, embeddings and isolates (UAX #9) go
  /// too, as they let a call look like another one, and so do the invisible tags of U+E0000.
  public static func safe(_ text: String) -> String {
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where isPrintable(scalar) { safe.append(scalar) }
    return String(safe)
  }

  /// The same on one line: line feeds and tabs become spaces.
  public static func line(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where isPrintable(scalar) {
      line.append(scalar == "\n" || scalar == "\t" ? " " : scalar)
    }
    return String(line)
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: true
    case 0x00...0x1F, 0x7F...0x9F: false
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: false
    case 0x2028, 0x2029, 0xE0000...0xE007F: false
    default: true
    }
  }
}
