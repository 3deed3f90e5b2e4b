import ResolveKitCore

/// The contract's tool by which a model hands the session over to a person, and which no client runs.
enum ModelEscalation {
  static let toolName = "escalate_to_human"
  static let tool = ModelTool(
    name: toolName,
    description: """
      Hands the conversation over to a person, who reads all of it and answers from then on. Call it alone, when the user \
      asks for a person or when you cannot help.
      """,
    parametersSchema: [
      "type": "object",
      "properties": ["reason": ["type": "string", "description": "Why, in a sentence that the user reads."]],
      "required": ["reason"],
    ])
  /// The contract's words.
  static let tooManyRounds = "Maximum tool calling rounds exceeded"

  private static let reasonLimit = 1_000

  /// The reason that is given; nil where none of the calls is one for a person. The others are not made then.
  static func reason(in calls: [ModelToolCall]) -> String? {
    guard let call = calls.first(where: { $0.name == toolName }) else { return nil }
    let reason = call.arguments.object["reason"]?.stringValue ?? ""
    return reason.isEmpty ? "The assistant asks for a person." : String(reason.prefix(reasonLimit))
  }
}
