/// One bubble of the transcript.
public struct ResolveKitChatMessage: Identifiable, Hashable, Sendable, Codable {
  public enum Role: String, Hashable, Sendable, Codable {
    case user
    case assistant
    case system
    case humanAgent = "human_agent"
  }

  public let id: String
  public let role: Role
  public var text: String

  public init(id: String, role: Role, text: String) {
    self.id = id
    self.role = role
    self.text = text
  }
}
