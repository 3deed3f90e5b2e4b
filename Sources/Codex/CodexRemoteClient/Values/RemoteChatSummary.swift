/// A chat as lists have it.
public struct RemoteChatSummary: Hashable, Sendable, Decodable, Identifiable {
  /// The chat's id at the companion.
  public let id: String
  /// The project that it belongs to; nil for none.
  public let projectID: String?
  /// The chat's name, or its first words.
  public let title: String
  /// The beginning of its first message; nil where there is none.
  public let preview: String?
  /// Seconds since 1970.
  public let updatedAt: Double

  private enum CodingKeys: String, CodingKey {
    case id, title, preview, updatedAt
    case projectID = "projectId"
  }
}
