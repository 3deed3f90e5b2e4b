/// A project's repository and the settings that hold in it.
public struct RemoteProjectContext: Hashable, Sendable, Decodable {
  /// The project's id at the companion.
  public let projectID: String
  /// The folder's path on the companion's machine.
  public let folder: String
  /// The settings that hold in the folder.
  public let settings: RemoteSettings
  /// Codex's trust in the folder: `trusted` or `untrusted`; nil where nobody has decided.
  public let trustLevel: String?
  /// The state of the folder's repository.
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
  /// Codex's `approval_policy`, such as `on-request`.
  public let approvalPolicy: String?
  /// Codex's `sandbox_mode`, such as `workspace-write`.
  public let sandboxMode: String?
  /// The model's name.
  public let model: String?
  /// The model's `model_reasoning_effort`, such as `high`.
  public let modelReasoningEffort: String?
  /// The deviation from the request, in a sentence.
  public let note: String?
}
