/// A page of a chat's history: the newest one, or an earlier one.
public struct RemoteTimeline: Hashable, Sendable, Decodable {
  /// Something that a person or the agent said.
  public struct Message: Hashable, Sendable, Decodable {
    public let id: String
    /// `user` or `assistant`.
    public let role: String
    public let text: String
    /// Seconds since 1970.
    public let createdAt: Double
    /// The turn that it was said in, nil where the companion does not tell.
    public let turnID: String?

    private enum CodingKeys: String, CodingKey {
      case id, role, text, createdAt
      case turnID = "turnId"
    }
  }

  /// Something that the agent did.
  public struct Activity: Hashable, Sendable, Decodable {
    public let id: String
    /// Such as `running_command` or `file_edited`.
    public let kind: String
    public let title: String
    public let detail: String?
    public let commandPreview: String?
    public let filePath: String?
    /// Seconds since 1970.
    public let createdAt: Double
    /// The turn that it was done in, nil where the companion does not tell.
    public let turnID: String?

    private enum CodingKeys: String, CodingKey {
      case id, kind, title, detail, commandPreview, filePath, createdAt
      case turnID = "turnId"
    }
  }

  public let messages: [Message]
  public let activities: [Activity]
  /// The cursor of the page before; nil where this one begins with the chat.
  public let olderCursor: Int?
  /// Behind which event the chat is followed so that nothing is missing; nil where the companion does not tell.
  public let streamCursor: Int?
  /// The turn that the events behind that one tell from its beginning; nil where they tell none.
  public let streamTurnID: String?

  private enum CodingKeys: String, CodingKey {
    case messages, activities, olderCursor, streamCursor
    case streamTurnID = "streamTurnId"
  }
}
