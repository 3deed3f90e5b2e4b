import ResolveKitCore

/// A project's repository, as far as a client may use it: look, check out a local branch, commit what is staged.
///
/// Nothing that the repository's configuration names is run: no hook, filter, diff or merge driver, editor, signature,
/// monitor or transport. Contents are therefore shown as they are stored, and commits are not signed.
package struct GitRepository: Sendable {
  private let program: GitProgram
  private let folder: String

  /// - Parameter folder: The project's folder, an absolute path.
  package init(_ folder: String, program: GitProgram) {
    self.folder = folder
    self.program = program
  }

  /// The branch, and which paths differ from the last commit. Throws ``GitError``.
  package func context() async throws(GitError) -> GitContext {
    let settings = try await settings()
    do {
      return try await context(prefix: prefix(settings), settings: settings)
    } catch {
      guard error.code == .notRepository else { throw error }
      return .notRepository
    }
  }

  /// The local branches, the current one first, the others by name. Throws ``GitError``.
  package func branches() async throws(GitError) -> [GitBranch] {
    let settings = try await settings()
    _ = try await prefix(settings)
    return try await branches(settings: settings)
  }

  /// The changes of one path, or of all of the project. Throws ``GitError``.
  package func diff(path: String? = nil) async throws(GitError) -> GitDiff {
    let place = try path.map { path throws(GitError) in try ProjectPath(path, in: folder).relative } ?? "."
    let settings = try await settings()
    _ = try await prefix(settings)
    let staged = try await run(diffCommand(of: place, "--cached"), settings).successful("git diff")
    let unstaged = try await run(diffCommand(of: place), settings).successful("git diff")
    var command = GitCommand("ls-files", "--others", "--exclude-standard", "-z", "--", place)
    command.excess = .cut
    let untracked = try await run(command, settings).successful("git ls-files")
    return GitDiff(
      path: path, staged: staged.text, unstaged: unstaged.text,
      untrackedPaths: untracked.parts.map { String(decoding: $0, as: UTF8.self) })
  }

  /// Checks out an existing local branch, and returns the result. Throws ``GitError``.
  package func checkOut(_ branch: String) async throws(GitError) -> GitContext {
    try GitBranch.check(branch)
    let settings = try await settings()
    try await demandWholeTree(settings)
    // Names are compared by their bytes: to Swift, two spellings of one text are equal, to git they are two branches.
    let isKnown = try await branches(settings: settings).contains { $0.name.utf8.elementsEqual(branch.utf8) }
    guard isKnown else { throw GitError(.refused, "There is no local branch \(branch.visibleJSON).") }
    try await demandNoFilteredFiles(settings)
    let command = GitCommand(
      "switch", "--quiet", "--no-guess", "--no-recurse-submodules", "--no-overwrite-ignore", "--end-of-options", branch)
    _ = try await run(command, settings).successful("git switch")
    return try await context()
  }

  /// Commits what is staged, and nothing else. Throws ``GitError``.
  package func commit(_ text: String) async throws(GitError) -> GitCommit {
    let message = try GitCommit.message(text)
    let settings = try await settings()
    try await demandWholeTree(settings)
    let staged = try await run(
      GitCommand("diff", "--cached", "--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"), settings
    )
    guard staged.exitCode != 0 else { throw GitError(.refused, "There are no staged changes to commit") }
    guard staged.exitCode == 1 else { throw staged.failure("git diff") }
    var command = GitCommand(
      "commit", "--quiet", "--no-verify", "--no-gpg-sign", "--no-status", "--cleanup=whitespace", "--file=-")
    command.input = Array(message.utf8)
    command.timeLimit = .seconds(8)
    _ = try await run(command, settings).successful("git commit")
    let branch = try await run(GitCommand("symbolic-ref", "--quiet", "HEAD"), settings)
    let log = try await run(GitCommand("rev-list", "--max-count=1", "--format=%s", "HEAD"), settings)
    let lines = try log.successful("git rev-list").text.split(separator: "\n", maxSplits: 2)
    return GitCommit(
      branch: GitBranch(line: "*" + branch.text.prefix { $0 != "\n" })?.name,
      hash: lines.first.map { String($0.drop { $0 != " " }.dropFirst()) } ?? "",
      summary: lines.dropFirst().first.map(String.init) ?? "")
  }

  // MARK: What they share

  private func run(_ command: GitCommand, _ settings: GitSettings) async throws(GitError) -> GitOutput {
    try await program.run(command, in: folder, settings: settings)
  }

  /// The settings that disable the programs that this repository's configuration names now.
  private func settings() async throws(GitError) -> GitSettings {
    let keys = try await run(GitCommand("config", "--list", "--name-only", "-z"), GitSettings())
    return try GitSettings(silencing: keys.successful("git config").parts)
  }

  /// The place of the project's folder in its working tree: empty at the top, else with a slash at its end.
  private func prefix(_ settings: GitSettings) async throws(GitError) -> [UInt8] {
    let output = try await run(GitCommand("rev-parse", "--is-inside-work-tree", "--show-prefix"), settings)
      .successful("git rev-parse").output
    let isInside = Array("true\n".utf8)
    guard output.starts(with: isInside) else { throw .notRepository }
    return Array(output.dropFirst(isInside.count).dropLast())
  }

  private func demandWholeTree(_ settings: GitSettings) async throws(GitError) {
    guard try await prefix(settings).isEmpty else {
      throw GitError(
        .refused,
        "This project is a part of a larger working tree, which would change outside of the project; use git there.")
    }
  }

  /// Without its filter a file would be written as it is stored: as a pointer into a store of large files, or encrypted.
  private func demandNoFilteredFiles(_ settings: GitSettings) async throws(GitError) {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    let names = settings.filters.filter { plain.isSuperset(of: $0) }.map { String(decoding: $0, as: UTF8.self) }
    guard !names.isEmpty else { return }
    var command = GitCommand("ls-files", "-z", "--")
    command.arguments += names.map { ":(attr:filter=\($0))" }
    command.hasPathspecMagic = true
    command.outputLimit = 1
    command.excess = .cut
    guard try await run(command, settings).successful("git ls-files").output.isEmpty else {
      throw GitError(
        .refused,
        "Files of this project pass through a filter (\(names.joined(separator: ", "))), which is not run from remote; "
          + "check the branch out there.")
    }
  }

  private func branches(settings: GitSettings) async throws(GitError) -> [GitBranch] {
    let command = GitCommand(
      "for-each-ref", "--sort=refname", "--sort=-HEAD", "--format=%(HEAD)%(refname)", "refs/heads/")
    return try await run(command, settings).successful("git for-each-ref").text.split(separator: "\n")
      .compactMap { GitBranch(line: $0) }
  }

  private func context(prefix: [UInt8], settings: GitSettings) async throws(GitError) -> GitContext {
    let command = GitCommand(
      "status", "--porcelain=v2", "--branch", "-z", "--no-ahead-behind", "--no-renames", "--untracked-files=normal",
      "--ignore-submodules=dirty", "--", ".")
    return GitStatusReader(prefix: prefix).context(try await run(command, settings).successful("git status").parts)
  }

  private func diffCommand(of path: String, _ options: String...) -> GitCommand {
    var command = GitCommand(
      "diff", "--patch", "--relative", "--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short",
      "--ignore-submodules=dirty", "--src-prefix=a/", "--dst-prefix=b/")
    command.arguments += options + ["--", path]
    command.outputLimit = GitDiff.sectionBytes
    command.excess = .cut
    return command
  }
}
