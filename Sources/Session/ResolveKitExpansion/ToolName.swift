/// The rule for a tool's name (MCP SEP-986), and names that keep it.
enum ToolName {
  static let maximumLength = 128

  static func isValid(_ name: String) -> Bool {
    (1...maximumLength).contains(name.utf8.count) && name.unicodeScalars.allSatisfy(isAllowed)
  }

  static func isSnakeCase(_ name: String) -> Bool { name == snakeCase(name) }

  /// `SendMessage`, `send message!` and `send-message` are all `send_message`.
  static func snakeCase(_ name: String) -> String {
    var words: [String] = []
    var word = ""
    let scalars = Array(name.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      guard isAllowed(scalar), scalar != "_", scalar != "-", scalar != "." else {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      let previousIsUpper = index > 0 && isUpper(scalars[index - 1])
      let nextIsLower = index + 1 < scalars.count && isLower(scalars[index + 1])
      if isUpper(scalar), !word.isEmpty, !previousIsUpper || nextIsLower {
        words.append(word)
        word = ""
      }
      word.unicodeScalars.append(scalar)
    }
    if !word.isEmpty { words.append(word) }
    let joined = words.map { $0.lowercased() }.joined(separator: "_")
    return String(joined.prefix(maximumLength))
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    isUpper(scalar) || isLower(scalar) || ("0"..."9").contains(scalar) || scalar == "_" || scalar == "-"
      || scalar == "."
  }

  private static func isUpper(_ scalar: Unicode.Scalar) -> Bool { ("A"..."Z").contains(scalar) }
  private static func isLower(_ scalar: Unicode.Scalar) -> Bool { ("a"..."z").contains(scalar) }
}
