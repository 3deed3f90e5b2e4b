package import ResolveKitCore

/// One piece of a model's answer.
public enum ModelOutput: Equatable, Sendable {
  /// Text that follows the text before it.
  case text(String)
  /// Calls to make before the model continues; the last pieces of a part.
  case toolCalls([ModelToolCall])
  /// The cost of the part.
  case usage(ModelUsage)
}

/// Tokens that a model took and gave.
public struct ModelUsage: Equatable, Sendable {
  /// The tokens of the conversation that the model was given.
  public var promptTokens: Int
  /// The tokens that the model wrote.
  public var completionTokens: Int

  /// The cost in tokens.
  public init(promptTokens: Int, completionTokens: Int) {
    self.promptTokens = promptTokens
    self.completionTokens = completionTokens
  }

  package var json: JSONValue {
    [
      "prompt_tokens": .number(Double(promptTokens)), "completion_tokens": .number(Double(completionTokens)),
    ]
  }

  package static func + (left: ModelUsage, right: ModelUsage) -> ModelUsage {
    ModelUsage(
      promptTokens: left.promptTokens.clampedSum(right.promptTokens),
      completionTokens: left.completionTokens.clampedSum(right.completionTokens))
  }
}

extension Int {
  fileprivate func clampedSum(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
