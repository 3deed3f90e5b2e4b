/// The variables that a git command gets: few of this process's, and what keeps git quiet, local and without programs.
struct GitEnvironment: Sendable {
  /// The variables that git needs to find the user's configuration, and to write a commit's time and author.
  private static let inherited = ["HOME", "XDG_CONFIG_HOME", "TZ", "USER", "LOGNAME"]

  private let variables: [[UInt8]]

  /// The variables, of a process with this environment, for git in this folder.
  ///
  /// The system's and the user's own configuration hold, as they do for the user: who the author is, which folders of
  /// others are safe. They lose to ``GitSettings`` as the repository's does.
  init(from environment: [String: String], programFolder: String) {
    var variables = Self.inherited.compactMap { name in environment[name].map { "\(name)=\($0)" } }
    variables += [
      "PATH=\(programFolder):/usr/bin:/bin", "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
      "GIT_PAGER=cat", "GIT_EDITOR=:",
      // A missing object of a partial clone would be fetched, by whatever program the repository names for it.
      "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
    ]
    self.variables = variables.map { Array($0.utf8) }
  }

  /// Each variable as `name=value` with a NUL behind it. Settings go by variables of their own because in `-c name=value`
  /// a name that holds '=' is another name.
  func variables(for command: GitCommand, settings: GitSettings) -> [[UInt8]] {
    var result = variables
    if !command.hasPathspecMagic { result.append(Array("GIT_LITERAL_PATHSPECS=1".utf8)) }
    result.append(Array("GIT_CONFIG_COUNT=\(settings.settings.count)".utf8))
    for (index, setting) in settings.settings.enumerated() {
      result.append(Array("GIT_CONFIG_KEY_\(index)=".utf8) + setting.key)
      result.append(Array("GIT_CONFIG_VALUE_\(index)=\(setting.value)".utf8))
    }
    return result.map { $0.filter { $0 != 0 } + [0] }
  }
}
