/// A chat as lists have it.
public struct RemoteChatSummary: Hashable, Sendable, Decodable, Identifiable {
  public let id: String
  public let projectID: String?
  public let title: String
  public let preview: String?
  /// Seconds since 1970.
  public let updatedAt: Double

  private enum CodingKeys: String, CodingKey {
    case id, title, preview, updatedAt
    case projectID = "projectId"
  }
}
