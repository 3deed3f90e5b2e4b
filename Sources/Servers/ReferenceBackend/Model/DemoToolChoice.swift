import ResolveKitCore

/// Which of the client's tools a question's words fit.
struct DemoToolChoice {
  let words: String
  let tools: [ModelTool]

  private static let keywords: [String: Set<String>] = [
    "get_local_time": ["time", "clock", "hour", "date", "today"],
    "get_system_info": ["system", "computer", "machine", "kernel", "processor", "memory"],
    "list_files": ["file", "files", "folder", "folders", "directory"],
    ModelEscalation.toolName: ["human", "person", "operator"],
  ]

  var calls: [ModelToolCall] {
    if let call = explicitCall { return [call] }
    let said = Set(words.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
    return tools.filter { fits($0.name, said) }.enumerated().map { index, tool in
      ModelToolCall(id: "demo_\(index + 1)", name: tool.name, arguments: arguments(for: tool))
    }
  }

  /// The question has the tool's name, all words of its name, or one of the words that are known to mean it.
  private func fits(_ name: String, _ said: Set<String>) -> Bool {
    let name = name.lowercased()
    if said.contains(name) || !(Self.keywords[name] ?? []).isDisjoint(with: said) { return true }
    let parts = name.split(separator: "_").map(String.init)
    return parts.count > 1 && said.isSuperset(of: parts)
  }

  /// `call NAME {…}` calls any tool with any arguments.
  private var explicitCall: ModelToolCall? {
    let parts = words.split(maxSplits: 2, whereSeparator: \.isWhitespace)
    guard parts.count >= 2, parts[0].lowercased() == "call",
      let tool = tools.first(where: { $0.name == parts[1] })
    else { return nil }
    let given = parts.count == 3 ? try? ResolveKitArguments(parsing: String(parts[2])) : nil
    return ModelToolCall(
      id: "demo_1", name: tool.name, arguments: given ?? ResolveKitArguments(arguments(for: tool)))
  }

  private func arguments(for tool: ModelTool) -> JSONObject {
    DemoArguments(text: words).arguments(schema: tool.parametersSchema)
  }
}
