import ResolveKitCore

/// The sentence that a person reads before approving a call.
enum HumanDescription {
  private static let limit = 300

  /// The function's own description, and the arguments as they are: a person decides on what will run.
  static func of(_ call: ModelToolCall, _ function: FunctionRecord) -> String {
    let about = function.description.isEmpty ? "Run \(call.name)" : function.description
    let texts = call.arguments.texts
    guard !texts.isEmpty else { return cut(about) }
    let arguments = texts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return cut("\(about) (\(arguments.joined(separator: ", ")))")
  }

  /// Marked where cut, so that nobody takes a part for the whole.
  private static func cut(_ text: String) -> String {
    text.count <= limit ? text : text.prefix(limit - 1) + "…"
  }
}
