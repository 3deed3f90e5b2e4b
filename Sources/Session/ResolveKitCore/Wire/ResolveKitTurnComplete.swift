/// Payload of `turn_complete`.
public struct ResolveKitTurnComplete: Hashable, Sendable, Codable {
  /// The tokens that the model's provider counted for the turn.
  public struct Usage: Hashable, Sendable, Codable {
    /// Tokens that the model read; nil where the provider does not count.
    public var promptTokens: Int?
    /// Tokens that the model wrote; nil where the provider does not count.
    public var completionTokens: Int?

    /// Creates a count, as a backend does.
    package init(promptTokens: Int?, completionTokens: Int?) {
      self.promptTokens = promptTokens
      self.completionTokens = completionTokens
    }

    private enum CodingKeys: String, CodingKey {
      case promptTokens = "prompt_tokens"
      case completionTokens = "completion_tokens"
    }
  }

  /// The whole answer; it wins over what the deltas add up to.
  public var fullText: String
  /// The tokens of the turn; nil where the backend does not count them.
  public var usage: Usage?

  /// Creates a payload, as a backend does.
  package init(fullText: String, usage: Usage?) {
    self.fullText = fullText
    self.usage = usage
  }

  private enum CodingKeys: String, CodingKey {
    case usage
    case fullText = "full_text"
  }

  /// Reads a payload; nil where it carries no text.
  package init?(payload: JSONObject) {
    guard let text = payload["full_text"]?.stringValue else { return nil }
    fullText = text
    usage = payload["usage"]?.objectValue.map { members in
      Usage(
        promptTokens: members["prompt_tokens"]?.integerValue,
        completionTokens: members["completion_tokens"]?.integerValue)
    }
  }
}
