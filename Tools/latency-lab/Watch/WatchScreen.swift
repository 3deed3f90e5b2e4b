import Foundation

/// Lays the answers of `watch` out beside each other.
struct WatchScreen: Sendable {
  let title: String
  let answers: [WatchedAnswer]
  /// The schedule's length in nanoseconds.
  let length: Int64

  private static let separator = " │ "

  /// The screen's lines, at most `rows`, and no wider than `columns` where there is room for a letter in each column.
  ///
  /// - Parameter elapsed: nanoseconds since the schedule's start, which is the same in all columns.
  func lines(at elapsed: Int64, columns: Int, rows: Int) -> [String] {
    let gaps = Self.separator.count * (answers.count - 1)
    let width = max(1, (columns - gaps) / answers.count)
    let states = answers.map { $0.state(at: elapsed) }
    let seconds = max(0, min(elapsed, length)) / 1_000_000_000
    let room = max(1, rows - 5)
    let texts = states.map { Array(Self.wrapped($0.words, width: width).suffix(room)) }
    var lines = [Self.fitted("\(title) · \(seconds) of \(length / 1_000_000_000) s", columns)]
    lines.append(row(answers.map { Self.fitted($0.label, width) }))
    for place in 0..<room {
      lines.append(row(texts.map { $0.indices.contains(place) ? $0[place] : Self.fitted("", width) }))
    }
    lines.append(row(states.map { _ in Self.fitted("", width, filling: "─") }))
    lines.append(row(states.map { Self.fitted(Self.lag($0.behind), width) }))
    lines.append(row(states.map { Self.fitted(Self.tally($0), width) }))
    return Array(lines.prefix(rows))
  }

  private func row(_ cells: [String]) -> String { cells.joined(separator: Self.separator) }

  private static func lag(_ behind: Int) -> String {
    "\(behind) \(behind == 1 ? "word" : "words") behind " + String(repeating: "▮", count: min(behind, 20))
  }

  private static func tally(_ state: WatchedAnswer.State) -> String {
    String(
      format: "%ld of %ld over 50 ms late, worst %.0f ms", state.lateCount, state.count, state.worstMilliseconds)
  }

  /// The text cut or padded to a width.
  private static func fitted(_ text: String, _ width: Int, filling: Character = " ") -> String {
    String(text.prefix(width)) + String(repeating: filling, count: max(0, width - text.count))
  }

  /// Lines of whole words, padded; late words are in reverse video.
  private static func wrapped(_ words: [WatchedAnswer.State.Word], width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    func finish() {
      lines.append(line + String(repeating: " ", count: width - used))
      (line, used) = ("", 0)
    }
    for word in words {
      let text = word.text.prefix(width)
      if used > 0, used + 1 + text.count > width { finish() }
      if used > 0 {
        line += " "
        used += 1
      }
      line += word.isLate ? "\u{1b}[7m\(text)\u{1b}[27m" : String(text)
      used += text.count
    }
    if used > 0 { finish() }
    return lines
  }
}
