/// A line typed at the prompt.
package enum TypedLine: Equatable {
  case message(String)
  case command(name: String, argument: String)

  /// A slash begins a command; a space before it makes it a message.
  package init(_ line: String) {
    guard line.hasPrefix("/") else {
      self = .message(line.hasPrefix(" /") ? String(line.dropFirst()) : line)
      return
    }
    let words = line.dropFirst().split(maxSplits: 1, omittingEmptySubsequences: false) { $0.isWhitespace }
    let argument = words.count > 1 ? String(words[1]) : ""
    self = .command(name: String(words.first ?? ""), argument: argument.trimmed)
  }
}

extension String {
  package var trimmed: String {
    let start = drop { $0.isWhitespace }
    return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
  }
}
