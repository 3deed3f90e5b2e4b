/// A page of a chat's history: the newest one, or an earlier one.
public struct RemoteTimeline: Hashable, Sendable, Decodable {
  /// Something that a person or the agent said.
  public struct Message: Hashable, Sendable, Decodable {
    /// The message's id, which may come again in another turn.
    public let id: String
    /// `user` or `assistant`.
    public let role: String
    /// The message's whole text.
    public let text: String
    /// Seconds since 1970.
    public let createdAt: Double
    /// The turn that it was said in, nil where the companion does not say.
    public let turnID: String?

    private enum CodingKeys: String, CodingKey {
      case id, role, text, createdAt
      case turnID = "turnId"
    }
  }

  /// Something that the agent did.
  public struct Activity: Hashable, Sendable, Decodable {
    /// The activity's id, which may come again in another turn.
    public let id: String
    /// Such as `running_command` or `file_edited`.
    public let kind: String
    /// The activity in short, such as a command's first words.
    public let title: String
    /// Further detail; nil for none.
    public let detail: String?
    /// The command line; nil for anything but a command.
    public let commandPreview: String?
    /// The file that was changed; nil for anything but a change.
    public let filePath: String?
    /// Seconds since 1970.
    public let createdAt: Double
    /// The turn that it was done in, nil where the companion does not say.
    public let turnID: String?

    private enum CodingKeys: String, CodingKey {
      case id, kind, title, detail, commandPreview, filePath, createdAt
      case turnID = "turnId"
    }
  }

  /// The page's messages, oldest first.
  public let messages: [Message]
  /// The page's activities, oldest first.
  public let activities: [Activity]
  /// The cursor of the page before; nil where this one begins with the chat.
  public let olderCursor: Int?
  /// The event after which the chat is followed so that nothing is missing; nil where the companion does not say.
  public let streamCursor: Int?
  /// The turn that the events after that one report from its beginning; nil where they report none.
  public let streamTurnID: String?

  private enum CodingKeys: String, CodingKey {
    case messages, activities, olderCursor, streamCursor
    case streamTurnID = "streamTurnId"
  }
}
