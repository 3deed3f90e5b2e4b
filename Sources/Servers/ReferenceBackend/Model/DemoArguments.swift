import ResolveKitCore

/// A tool's arguments from a question's words: the first of them that fits a parameter's schema.
struct DemoArguments {
  private let text: String
  /// The words as they were written, without the marks around them.
  private let words: [String]
  private let said: Set<String>

  init(text: String) {
    self.text = text
    words = text.split(whereSeparator: \.isWhitespace).map { word in
      String(word.trimming { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == "/" || $0 == ".") })
    }
    said = Set(words.map { $0.lowercased().trimming { $0 == "." } }.map { String($0) })
  }

  /// A value for each required parameter, and a path where the question names one.
  func arguments(schema: JSONObject) -> JSONObject {
    let properties = schema["properties"]?.objectValue ?? [:]
    let required = schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
    var arguments: JSONObject = [:]
    for name in required { arguments[name] = value(of: name, properties[name]?.objectValue ?? [:]) }
    if let name = properties.keys.sorted().first(where: isPath), arguments[name] == nil, path != "." {
      arguments[name] = .string(path)
    }
    return arguments
  }

  private func value(of name: String, _ schema: JSONObject) -> JSONValue {
    if let choices = schema["enum"]?.arrayValue, let first = choices.first {
      return choices.first { $0.stringValue.map { said.contains($0.lowercased()) } ?? false } ?? first
    }
    return switch schema["type"]?.stringValue {
    case "string": .string(isPath(name) ? path : quoted ?? text)
    case "integer": .number(number { Int($0).map { Double($0) } })
    case "number": .number(number { Double($0) })
    // A person who asks for a tool by its name wants it to do something.
    case "boolean": .bool(said.isDisjoint(with: ["no", "not", "off", "false", "don't"]))
    case "array": .array([])
    case nil, _: .object([:])
    }
  }

  private func number(_ read: (String) -> Double?) -> Double {
    words.compactMap { read(String($0.trimming { $0 == "." })) }.first { $0.isFinite } ?? 0
  }

  /// The text between the first two quotation marks.
  private var quoted: String? {
    let marks: Set<Character> = ["\"", "“", "”", "„", "«", "»"]
    let parts = text.split(maxSplits: 2, omittingEmptySubsequences: false) { marks.contains($0) }
    return parts.count == 3 ? String(parts[1]) : nil
  }

  private func isPath(_ name: String) -> Bool {
    ["path", "folder", "directory"].contains(name.lowercased())
  }

  private var path: String {
    let word = text.split(whereSeparator: \.isWhitespace).first { $0.contains("/") || $0 == "." || $0 == ".." }
    return word.map { String($0.trimmingSuffix { "?!,;".contains($0) }) } ?? "."
  }
}

extension StringProtocol where SubSequence == Substring {
  fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
    var rest = self[...]
    while let last = rest.last, predicate(last) { rest.removeLast() }
    return rest
  }

  fileprivate func trimming(while predicate: (Character) -> Bool) -> Substring {
    trimmingSuffix(while: predicate).drop(while: predicate)
  }
}
