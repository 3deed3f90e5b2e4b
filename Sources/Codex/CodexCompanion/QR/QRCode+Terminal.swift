extension QRCode {
  /// The way to show dark on light on a terminal, which is the only way that every camera reads.
  package enum TerminalStyle: Hashable, Sendable {
    /// Black and white are set by escape sequences, whatever the terminal's colours.
    case coloured
    /// Without escapes, for light letters on a dark ground.
    case plainOnDark
    /// Without escapes, for dark letters on a light ground.
    case plainOnLight
  }

  /// The code with its quiet zone, two rows of modules a line, each line with its end.
  package func terminalText(_ style: TerminalStyle) -> String {
    let all = -Self.quietZone..<width + Self.quietZone
    var text = ""
    for row in stride(from: all.lowerBound, to: all.upperBound, by: 2) {
      let line = all.map { column in
        let isUpperDark = isDark(row: row, column: column)
        // The last line of an odd number of rows has nothing below: it is as light as the zone.
        let isLowerDark = isDark(row: row + 1, column: column)
        return style.block(upper: isUpperDark, lower: isLowerDark)
      }.joined()
      text += style.start + line + style.end + "\n"
    }
    return text
  }
}

extension QRCode.TerminalStyle {
  /// Black on white of the 256 colours, which no theme changes.
  fileprivate var start: String {
    switch self {
    case .coloured: "\u{1B}[38;5;16;48;5;231m"
    case .plainOnDark, .plainOnLight: ""
    }
  }

  fileprivate var end: String {
    switch self {
    case .coloured: "\u{1B}[0m"
    case .plainOnDark, .plainOnLight: ""
    }
  }

  /// The character whose ink is where the dark modules are, or on a dark ground where the light ones are.
  fileprivate func block(upper: Bool, lower: Bool) -> String {
    let isInk =
      switch self {
      case .coloured, .plainOnLight: (upper, lower)
      case .plainOnDark: (!upper, !lower)
      }
    return switch isInk {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }
}
