/// One bubble of the transcript.
public struct ResolveKitChatMessage: Identifiable, Hashable, Sendable, Codable {
  /// The author of a message.
  public enum Role: String, Hashable, Sendable, Codable {
    /// The person who uses the app.
    case user
    /// The model.
    case assistant
    /// None of the others: a role of the history that this SDK does not know.
    case system
    /// A person at the other end, after the conversation was handed over.
    case humanAgent = "human_agent"
  }

  /// Unique within the transcript, and the same for as long as the message is in it.
  public let id: String
  /// The author.
  public let role: Role
  /// The text so far, Markdown as the author wrote it.
  public var text: String

  /// Creates a message; a runtime makes those of its transcript.
  public init(id: String, role: Role, text: String) {
    self.id = id
    self.role = role
    self.text = text
  }
}
