/// The model of a chat's turns, which may be another than the settings name.
public struct RemoteChatModel: Hashable, Sendable, Decodable {
  /// The model's name; nil where codex does not say.
  public let name: String?
  /// The effort of its reasoning; nil where codex does not say.
  public let reasoningEffort: String?

  private enum CodingKeys: String, CodingKey {
    case name = "model"
    case reasoningEffort = "modelReasoningEffort"
  }
}
