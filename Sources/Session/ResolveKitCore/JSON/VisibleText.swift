/// Distinguishes the scalars that a person sees for what they are, one by one.
///
/// All else is shown as an escape: controls, format characters (bidirectional ones and those without width among them),
/// every space but a single U+0020, what has no glyph, what Unicode normalisation turns into another spelling, and marks
/// where they would change or cover a character that is not a letter of their own script.
struct VisibleText {
  private enum Neighbour: Equatable {
    case other
    case space
    /// A letter, with so many marks on it.
    case letter(marks: Int)
  }

  /// More marks than any script puts on one letter grow over the lines around.
  private static let maximumMarks = 4

  private var previous = Neighbour.other

  /// Whether the next scalar of a text may stand for itself.
  mutating func shows(_ scalar: Unicode.Scalar) -> Bool {
    let neighbour = Self.neighbour(of: scalar, after: previous)
    previous = neighbour ?? (scalar == " " ? .space : .other)
    return neighbour != nil
  }

  /// The effect of a scalar on the next one; nil where it is not shown.
  private static func neighbour(of scalar: Unicode.Scalar, after previous: Neighbour) -> Neighbour? {
    switch scalar.value {
    case 0x20: return previous == .space ? nil : .space
    case 0x21...0x7E: return Neighbour.other
    case 0..<0xA1: return nil
    // BRAILLE PATTERN BLANK has no dots; conjoining vowels and finals of Hangul make another spelling of a syllable.
    case 0x2800, 0x1160...0x11FF, 0xD7B0...0xD7FF: return nil
    default: break
    }
    let properties = scalar.properties
    guard !properties.isDefaultIgnorableCodePoint, !properties.isFullCompositionExclusion else { return nil }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return .letter(marks: 0)
    case .nonspacingMark, .spacingMark, .enclosingMark:
      guard case .letter(let marks) = previous, marks < maximumMarks, !joinsLetters(scalar) else { return nil }
      return .letter(marks: marks + 1)
    case .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation, .openPunctuation,
      .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol,
      .modifierSymbol, .otherSymbol:
      return Neighbour.other
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .surrogate, .privateUse, .unassigned:
      return nil
    @unknown default: return nil
    }
  }

  /// Marks that are a part of one character in the usual spelling of a text (NFC), as the accent of é is.
  private static func joinsLetters(_ mark: Unicode.Scalar) -> Bool {
    switch mark.value {
    case 0x0300...0x036F, 0x0653...0x0655, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0x3099...0x309A,
      0xFE20...0xFE2F:
      true
    default: false
    }
  }
}

extension String {
  /// The text with escapes (`\u202e`) in the place of what a person could not see, or would take for something else.
  package var visible: String {
    var view = VisibleText()
    var writer = JSONWriter(spelling: .visible)
    for scalar in unicodeScalars {
      if view.shows(scalar) { writer.append(text: String(Character(scalar))) } else { writer.append(escape: scalar) }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The text as a JSON string, with escapes as ``visible`` has them.
  package var visibleJSON: String { JSONValue.string(self).visibleText }
}

extension JSONValue {
  /// The same JSON as ``jsonText``, with escapes in the place of what a person could not see, or would take for something
  /// else, and of what may steer a terminal.
  package var visibleText: String {
    var writer = JSONWriter(spelling: .visible)
    writer.append(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
