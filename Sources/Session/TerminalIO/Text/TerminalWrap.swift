/// Lines that a person reads, broken between words and not where the terminal ends.
package enum TerminalWrap {
  /// `line` as lines of at most `width` cells where its words allow that; all but the first are indented further.
  package static func lines(_ line: String, width: Int) -> [String] {
    let start = String(line.prefix { $0 == " " })
    var lines: [String] = []
    var current = start
    var isFresh = true
    for word in line.dropFirst(start.count).split(separator: " ", omittingEmptySubsequences: false) {
      if !isFresh, TerminalWidth.cells(current) + 1 + TerminalWidth.cells(word) > width {
        lines.append(current)
        current = start + "    " + word
      } else {
        current += (isFresh ? "" : " ") + word
      }
      isFresh = false
    }
    return lines + [current]
  }
}
