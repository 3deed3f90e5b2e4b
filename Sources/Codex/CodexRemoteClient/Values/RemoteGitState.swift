/// A project's repository.
public struct RemoteGitState: Hashable, Sendable, Decodable {
  /// A path that differs from the last commit.
  public struct Change: Hashable, Sendable, Decodable {
    /// The path within the repository.
    public let path: String
    /// The letter of `git status` for the index; a space for no change, `?` for what git does not track.
    public let indexStatus: String
    /// The same for the working tree.
    public let workingTreeStatus: String
  }

  /// Whether the project's folder is in a repository.
  public let isRepository: Bool
  /// The branch; `HEAD` where none is checked out, nil outside of repositories.
  public let branch: String?
  /// The number of paths that differ from the last commit, in whichever way.
  public let changedFiles: Int
  /// The number of paths with changes in the index.
  public let stagedFiles: Int
  /// The number of paths with changes in the working tree that are not in the index.
  public let unstagedFiles: Int
  /// The number of paths that git does not track.
  public let untrackedFiles: Int
  /// The changed paths, as many as the companion lists.
  public let changes: [Change]

  private enum CodingKeys: String, CodingKey {
    case isRepository, branch, changedFiles, stagedFiles, unstagedFiles, untrackedFiles
    case changes = "changedPaths"
  }
}

/// A local branch.
public struct RemoteBranch: Hashable, Sendable, Decodable {
  /// The branch's name, without `refs/heads/`.
  public let name: String
  /// Whether it is checked out.
  public let isCurrent: Bool
}

/// The changes of a path, or of a whole project, as text.
public struct RemoteDiff: Hashable, Sendable, Decodable {
  /// The changes in the form of `git diff`; empty where there are none.
  public let text: String
  /// Whether the end is missing.
  public let truncated: Bool
}

/// A commit that was made.
public struct RemoteCommit: Hashable, Sendable, Decodable {
  /// The branch that it is on; nil where none is checked out.
  public let branch: String?
  /// The commit's id in hexadecimal digits.
  public let commitHash: String
  /// The message's first line.
  public let summary: String
}

/// A transcript of speech.
public struct RemoteTranscript: Hashable, Sendable, Decodable {
  /// The words that were spoken.
  public let text: String
  /// The model that wrote it down; nil where the companion does not say.
  public let model: String?
}
