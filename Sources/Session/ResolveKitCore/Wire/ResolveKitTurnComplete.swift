/// Payload of `turn_complete`.
public struct ResolveKitTurnComplete: Hashable, Sendable, Codable {
  public struct Usage: Hashable, Sendable, Codable {
    public var promptTokens: Int?
    public var completionTokens: Int?

    public init(promptTokens: Int?, completionTokens: Int?) {
      self.promptTokens = promptTokens
      self.completionTokens = completionTokens
    }

    private enum CodingKeys: String, CodingKey {
      case promptTokens = "prompt_tokens"
      case completionTokens = "completion_tokens"
    }
  }

  public var fullText: String
  public var usage: Usage?

  public init(fullText: String, usage: Usage?) {
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
