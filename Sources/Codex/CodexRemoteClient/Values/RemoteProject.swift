/// A folder that codex has worked in.
public struct RemoteProject: Hashable, Sendable, Decodable, Identifiable {
  /// The project's id at the companion.
  public let id: String
  /// The folder's path on the companion's machine.
  public let folder: String
  /// The project's name for a person.
  public let title: String
  /// Seconds since 1970; 0 where it is not known.
  public let updatedAt: Double

  private enum CodingKeys: String, CodingKey {
    case id, title
    case folder = "cwd"
    case updatedAt = "lastUpdatedAt"
  }
}
