import ResolveKitCore

/// Which of the client's tools a question's words fit.
struct DemoToolChoice {
  let words: String
  let tools: [ModelTool]

  private static let keywords: [String: Set<String>] = [
    "get_local_time": ["time", "clock", "hour", "date", "today"],
    "get_system_info": ["system", "computer", "machine", "kernel", "processor", "memory"],
    "list_files": ["file", "files", "folder", "folders", "directory"],
  ]

  var calls: [ModelToolCall] {
    if let call = explicitCall { return [call] }
    let said = Set(words.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
    let fitting = tools.filter { tool in
      said.contains(tool.name.lowercased()) || !(Self.keywords[tool.name] ?? []).isDisjoint(with: said)
    }
    return fitting.enumerated().map { index, tool in
      ModelToolCall(id: "demo_\(index + 1)", name: tool.name, arguments: arguments(for: tool))
    }
  }

  /// `call NAME {…}` calls any tool with any arguments.
  private var explicitCall: ModelToolCall? {
    let parts = words.split(maxSplits: 2, whereSeparator: \.isWhitespace)
    guard parts.count >= 2, parts[0].lowercased() == "call",
      let tool = tools.first(where: { $0.name == parts[1] })
    else { return nil }
    let given = parts.count == 3 ? (try? JSONValue(parsing: String(parts[2])))?.objectValue : nil
    return ModelToolCall(id: "demo_1", name: tool.name, arguments: given ?? arguments(for: tool))
  }

  /// Required arguments get a value of their type: a path gets the path that the question names.
  private func arguments(for tool: ModelTool) -> JSONObject {
    let properties = tool.parametersSchema["properties"]?.objectValue ?? [:]
    let required = tool.parametersSchema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
    var arguments: JSONObject = [:]
    for name in required {
      switch properties[name]?.objectValue?["type"]?.stringValue {
      case "string": arguments[name] = .string(isPath(name) ? path : words)
      case "integer", "number": arguments[name] = .number(0)
      case "boolean": arguments[name] = .bool(false)
      case "array": arguments[name] = .array([])
      case nil, _: arguments[name] = .object([:])
      }
    }
    if let name = properties.keys.sorted().first(where: isPath), arguments[name] == nil, path != "." {
      arguments[name] = .string(path)
    }
    return arguments
  }

  private func isPath(_ name: String) -> Bool {
    ["path", "folder", "directory"].contains(name.lowercased())
  }

  private var path: String {
    let word = words.split(whereSeparator: \.isWhitespace).first { $0.contains("/") || $0 == "." || $0 == ".." }
    return word.map { $0.trimmingSuffix(while: { "?!,;".contains($0) }) } ?? "."
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
    var rest = self
    while let last = rest.last, predicate(last) { rest.removeLast() }
    return String(rest)
  }
}
