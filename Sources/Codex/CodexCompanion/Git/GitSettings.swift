/// The settings that hold for one git command whatever the repository's own configuration says.
///
/// A repository's configuration names programs for nearly everything, and the repository's author may have written it. Most
/// of them are silenced by their one name. Content filters and hooks that are set up in the configuration have names of
/// their own, so those are read first (`git config --list`, which runs nothing) and silenced one by one.
/// A program is named again between that and the command only by a party that may write the configuration just then.
struct GitSettings: Hashable, Sendable {
  /// More filters and hooks than any project has; it is refused rather than half of them silenced.
  static let maximumNames = 100
  static let maximumNameLength = 1_000

  struct Setting: Hashable, Sendable {
    var key: [UInt8]
    var value: String

    init(_ key: [UInt8], _ value: String) {
      self.key = key
      self.value = value
    }

    init(_ key: String, _ value: String) { self.init(Array(key.utf8), value) }
  }

  /// The settings for every command, without those that an option of the command turns off.
  static let always = [
    Setting("core.hooksPath", "/dev/null"),
    Setting("core.fsmonitor", "false"),
    // A bare repository within a project brings a configuration that nobody has looked at (git-config(1)).
    Setting("safe.bareRepository", "explicit"),
    Setting("submodule.recurse", "false"),
    Setting("diff.orderFile", "/dev/null"),
    Setting("diff.relative", "false"),
    Setting("maintenance.auto", "false"),
    Setting("gc.auto", "0"),
  ]

  private(set) var settings = Self.always
  /// The names of the filters that are set up.
  private(set) var filters: [[UInt8]] = []

  init() {}

  /// The settings for a repository in whose configuration these are the keys. Throws ``GitError``.
  init(silencing keys: [ArraySlice<UInt8>]) throws(GitError) {
    filters = try Self.names(in: "filter", of: keys)
    for name in filters {
      let value = { (variable: String) in Array("filter.".utf8) + name + Array(".\(variable)".utf8) }
      settings += [Setting(value("clean"), ""), Setting(value("smudge"), ""), Setting(value("process"), "")]
      // Else git fails where a filter does nothing.
      settings.append(Setting(value("required"), "false"))
    }
    for name in try Self.names(in: "hook", of: keys) {
      settings.append(Setting(Array("hook.".utf8) + name + Array(".enabled".utf8), "false"))
    }
  }

  /// The middle parts of keys `section.name.variable`, each once.
  private static func names(in section: String, of keys: [ArraySlice<UInt8>]) throws(GitError) -> [[UInt8]] {
    let dot = UInt8(ascii: ".")
    let prefix = Array(section.utf8) + [dot]
    var names: [[UInt8]] = []
    var known: Set<[UInt8]> = []
    for key in keys where key.starts(with: prefix) {
      guard let end = key.lastIndex(of: dot), end >= key.startIndex + prefix.count else { continue }
      let name = Array(key[(key.startIndex + prefix.count)..<end])
      guard known.insert(name).inserted else { continue }
      guard names.count < maximumNames, name.count <= maximumNameLength else {
        throw GitError(
          .refused, "The project's git configuration has too many or too long names of \(section)s; use git there.")
      }
      names.append(name)
    }
    return names
  }
}
