/// A folder that codex has worked in.
public struct RemoteProject: Hashable, Sendable, Decodable, Identifiable {
  public let id: String
  /// The folder's path on the companion's machine.
  public let folder: String
  public let title: String
  /// Seconds since 1970; 0 where it is not known.
  public let updatedAt: Double

  private enum CodingKeys: String, CodingKey {
    case id, title
    case folder = "cwd"
    case updatedAt = "lastUpdatedAt"
  }
}
