import SwiftSyntax

/// The contents of a documentation comment: a summary, and parameters by name.
struct DocumentationComment {
  /// The first paragraph on one line.
  private(set) var summary = ""
  private(set) var parameters: [String: String] = [:]

  init(_ trivia: Trivia) {
    read(Self.lines(of: trivia))
  }

  private static func lines(of trivia: Trivia) -> [Substring] {
    trivia.pieces.flatMap { piece -> [Substring] in
      switch piece {
      case .docLineComment(let text): return [text.dropFirst(3)]
      case .docBlockComment(let text): return lines(ofBlock: text.dropFirst(3).dropLast(2))
      default: return []
      }
    }
  }

  /// The lines of a block comment. Where each begins with a star, the stars are the frame; else one may begin a
  /// list's item. A line break may be two characters.
  private static func lines(ofBlock text: Substring) -> [Substring] {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let inner = lines.dropFirst().map { $0.drop(while: \.isWhitespace) }.filter { !$0.isEmpty }
    guard inner.allSatisfy({ $0.hasPrefix("*") }) else { return lines }
    return lines.enumerated().map { index, line in
      let content = line.drop(while: \.isWhitespace)
      return index > 0 && content.hasPrefix("*") ? content.dropFirst() : line
    }
  }

  /// A list item ends at the next item, at an empty line, or at a line that is indented no deeper than its dash.
  private mutating func read(_ lines: [Substring]) {
    enum Place { case summary, body, parameter(String, indent: Int) }
    var place = Place.summary
    var outline: Int?
    for line in lines {
      let indent = line.prefix(while: \.isWhitespace).count
      let text = line.drop(while: \.isWhitespace)
      guard !text.isEmpty else {
        if case .summary = place, summary.isEmpty { continue }
        place = .body
        continue
      }
      guard let item = Self.item(text) else {
        switch place {
        case .parameter(let name, let dash) where indent > dash: append(text, toParameter: name)
        case .parameter: place = .body
        case .summary: summary += (summary.isEmpty ? "" : " ") + Self.trimmed(text)
        case .body: break
        }
        continue
      }
      if let level = outline, indent <= level { outline = nil }
      place = .body
      if item.lowercased() == "parameters:" {
        outline = indent
      } else if let (name, said) = Self.parameter(item, isInOutline: outline != nil) {
        place = .parameter(name, indent: indent)
        append(said, toParameter: name)
      }
    }
  }

  private mutating func append(_ text: Substring, toParameter name: String) {
    let known = parameters[name] ?? ""
    let said = Self.trimmed(text)
    parameters[name] = known.isEmpty || said.isEmpty ? known + said : "\(known) \(said)"
  }

  /// The text after the bullet of a list item.
  private static func item(_ text: Substring) -> Substring? {
    guard let bullet = text.first, "-*+".contains(bullet), text.dropFirst().first?.isWhitespace ?? false else {
      return nil
    }
    return text.dropFirst().drop(while: \.isWhitespace)
  }

  private static func parameter(_ item: Substring, isInOutline: Bool) -> (String, Substring)? {
    var rest = item
    let keyword = "parameter "
    if rest.lowercased().hasPrefix(keyword) {
      rest = rest.dropFirst(keyword.count)
    } else if !isInOutline {
      return nil
    }
    guard let colon = rest.firstIndex(of: ":") else { return nil }
    let name = trimmed(rest[..<colon].filter { $0 != "`" }[...])
    return name.isEmpty ? nil : (name, rest[rest.index(after: colon)...])
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return String(text)
  }
}
