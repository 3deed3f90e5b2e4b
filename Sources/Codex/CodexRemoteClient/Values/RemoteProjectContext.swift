/// A project's repository and the settings that hold in it.
public struct RemoteProjectContext: Hashable, Sendable, Decodable {
  public let projectID: String
  /// The folder's path on the companion's machine.
  public let folder: String
  public let settings: RemoteSettings
  /// Codex's trust in the folder: `trusted` or `untrusted`; nil where nobody has decided.
  public let trustLevel: String?
  public let git: RemoteGitState

  private enum CodingKeys: String, CodingKey {
    case trustLevel, git
    case projectID = "projectId"
    case folder = "cwd"
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    projectID = try members.decode(String.self, forKey: .projectID)
    folder = try members.decode(String.self, forKey: .folder)
    trustLevel = try members.decodeIfPresent(String.self, forKey: .trustLevel)
    git = try members.decode(RemoteGitState.self, forKey: .git)
    settings = try RemoteSettings(from: decoder)
  }
}

/// The settings of codex; nil is codex's own default.
public struct RemoteSettings: Hashable, Sendable, Decodable {
  public let approvalPolicy: String?
  public let sandboxMode: String?
  public let model: String?
  public let modelReasoningEffort: String?
  /// The deviation from the request, in a sentence.
  public let note: String?
}
