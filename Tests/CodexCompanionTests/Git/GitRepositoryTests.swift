import Foundation
import Testing

@testable import CodexCompanion

@Suite struct GitRepositoryTests {
  private let test: TestRepository

  init() throws { test = try TestRepository() }

  @Test func aFolderThatIsNoRepositoryIsReportedAsOne() async throws {
    try FileManager.default.removeItem(atPath: test.folder + "/.git")
    let repository = try test.repository()
    #expect(try await repository.context() == .notRepository)
    for operation in [
      { _ = try await repository.branches() }, { _ = try await repository.diff() },
      { _ = try await repository.checkOut("main") }, { _ = try await repository.commit("A message") },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: GitError.self) { try await operation() }
      #expect(error?.code == .notRepository)
      #expect(error?.message == "Project is not a Git repository")
    }
  }

  @Test func theContextHasTheBranchCountsAndPaths() async throws {
    for name in ["a b.txt", "both.txt", "staged.txt", "gone.txt"] { try test.write(name, "one\n") }
    try test.commitAll()
    try test.write("staged.txt", "two\n")
    try test.write("both.txt", "two\n")
    try test.git("add", "staged.txt", "both.txt")
    try test.write("both.txt", "three\n")
    try test.write("a b.txt", "two\n")
    try FileManager.default.removeItem(atPath: test.folder + "/gone.txt")
    try test.write("new/file.txt", "new\n")
    let context = try await test.repository().context()
    #expect(context.isRepository && context.branch == "main")
    #expect(
      context.changedPaths.map { "\($0.indexStatus)\($0.workingTreeStatus) \($0.path)" } == [
        " M a b.txt", "MM both.txt", " D gone.txt", "M  staged.txt", "?? new/",
      ])
    #expect(context.changedFiles == 5 && context.stagedFiles == 2 && context.unstagedFiles == 3)
    #expect(context.untrackedFiles == 1)
  }

  @Test func aRepositoryWithoutCommitsHasAContextADiffAndAFirstCommit() async throws {
    try test.write("a.txt", "one\n")
    try test.git("add", "a.txt")
    let repository = try test.repository()
    #expect(try await repository.context().branch == "main")
    #expect(try await repository.branches().isEmpty)
    #expect(try await repository.diff().text.contains("+one"))
    let commit = try await repository.commit("The first\n\nwith a body")
    #expect(commit.branch == "main" && commit.summary == "The first")
    #expect(try test.git("rev-parse", "HEAD") == commit.hash + "\n")
  }

  @Test func theCurrentBranchIsFirst() async throws {
    try test.write("a.txt", "one\n")
    try test.commitAll()
    for name in ["alpha", "zeta", "feature/x"] { try test.git("branch", name) }
    try test.git("switch", "--quiet", "zeta")
    let branches = try await test.repository().branches()
    #expect(branches.map(\.name) == ["zeta", "alpha", "feature/x", "main"])
    #expect(branches.map(\.isCurrent) == [true, false, false, false])
    try test.git("switch", "--quiet", "--detach")
    #expect(try await test.repository().branches().allSatisfy { !$0.isCurrent })
    #expect(try await test.repository().context().branch == "HEAD")
  }

  @Test func aDiffHasWhatIsStagedAndWhatIsNot() async throws {
    try test.write("a.txt", "one\n")
    try test.write("b.txt", "one\n")
    try test.commitAll()
    try test.write("a.txt", "two\n")
    try test.git("add", "a.txt")
    try test.write("b.txt", "three\n")
    try test.write("new/c.txt", "four\n")
    let all = try await test.repository().diff()
    #expect(all.text.contains("+two") && all.text.contains("+three") && !all.text.contains("+four"))
    #expect(all.untrackedPaths == ["new/c.txt"] && all.path == nil && !all.isTruncated)
    let one = try await test.repository().diff(path: "a.txt")
    #expect(one.text.contains("+two") && !one.text.contains("+three") && one.untrackedPaths.isEmpty)
    #expect(try await test.repository().diff(path: "new/").untrackedPaths == ["new/c.txt"])
  }

  @Test func aLongDiffIsCut() async throws {
    try test.write("a.txt", "")
    try test.commitAll()
    try test.write("a.txt", String(repeating: "é line\n", count: 900_000))
    let diff = try await test.repository().diff()
    #expect(diff.isTruncated && diff.text.hasSuffix("[Diff truncated]"))
    #expect(diff.text.unicodeScalars.count == GitDiff.maximumCharacters + "\n\n[Diff truncated]".count)
  }

  @Test func magicInAPathIsAName() async throws {
    try test.write(":(top)*", "one\n")
    try test.write("secret.txt", "one\n")
    try test.commitAll()
    try test.write(":(top)*", "two\n")
    try test.write("secret.txt", "hidden\n")
    let diff = try await test.repository().diff(path: ":(top)*")
    #expect(diff.text.contains("+two") && !diff.text.contains("hidden"))
  }

  @Test(arguments: [
    "../a.txt", "/etc/passwd", "a/../../b", "", ".", "a\0b", "link/passwd", "link/none/x", "a/..\u{301}/../../b",
  ])
  func aPathOutsideOfTheProjectIsRefused(path: String) async throws {
    try test.write("a.txt", "one\n")
    try FileManager.default.createSymbolicLink(atPath: test.folder + "/link", withDestinationPath: "/etc")
    let error = await #expect(throws: GitError.self) { try await test.repository().diff(path: path) }
    #expect(error?.code == .refused)
  }

  @Test func aLocalBranchIsCheckedOut() async throws {
    try test.write("a.txt", "one\n")
    try test.commitAll()
    try test.git("branch", "other")
    // A tag of the same name is not what is meant.
    try test.write("a.txt", "two\n")
    try test.commitAll()
    try test.git("tag", "other")
    #expect(try await test.repository().checkOut("other").branch == "other")
    #expect(test.read("a.txt") == "one\n")
  }

  @Test(arguments: [
    "", "-b", "--orphan=x", "a..b", "a b", "refs/heads/main", "HEAD", "@", "@{-1}", "main~1", "main^", ":/x", "none",
    "origin/remote", "remote", "tagged", "ma\nin", "main\0", "MAIN", "*", "-\u{301}b", "a..\u{301}b",
  ])
  func whatIsNoLocalBranchIsNotCheckedOut(name: String) async throws {
    try test.write("a.txt", "one\n")
    try test.commitAll()
    try test.git("tag", "tagged")
    try test.git("update-ref", "refs/remotes/origin/remote", "HEAD")
    let error = await #expect(throws: GitError.self) { try await test.repository().checkOut(name) }
    #expect(error?.code == .refused)
    #expect(try test.git("for-each-ref", "--format=%(refname)", "refs/heads") == "refs/heads/main\n")
  }

  @Test func anotherSpellingOfABranchIsAnotherBranch() async throws {
    try test.write("a.txt", "one\n")
    try test.commitAll()
    try test.git("branch", "caf\u{E9}")
    await #expect(throws: GitError.self) { try await test.repository().checkOut("cafe\u{301}") }
    #expect(try await test.repository().checkOut("caf\u{E9}").branch == "caf\u{E9}")
  }

  @Test func aCheckoutThatWouldLoseChangesFailsInTheWordsOfGit() async throws {
    try test.write(".gitignore", "ignored.txt\n")
    try test.write("a.txt", "one\n")
    try test.commitAll()
    try test.git("switch", "--quiet", "--create", "other")
    try test.write("a.txt", "two\n")
    try test.write("ignored.txt", "committed\n")
    try test.git("add", "--force", "ignored.txt")
    try test.commitAll()
    try test.git("switch", "--quiet", "main")
    try test.write("a.txt", "three\n")
    let error = await #expect(throws: GitError.self) { try await test.repository().checkOut("other") }
    #expect(error?.code == .failed && error?.message.contains("would be overwritten by checkout") == true)
    try test.write("a.txt", "one\n")
    try test.write("ignored.txt", "mine\n")
    await #expect(throws: GitError.self) { try await test.repository().checkOut("other") }
    #expect(test.read("ignored.txt") == "mine\n")
  }

  @Test func onlyWhatIsStagedIsCommitted() async throws {
    try test.write("a.txt", "one\n")
    try test.commitAll()
    try test.write("a.txt", "two\n")
    let error = await #expect(throws: GitError.self) { try await test.repository().commit("Nothing") }
    #expect(error?.message == "There are no staged changes to commit")
    try test.git("add", "a.txt")
    try test.write("a.txt", "three\n")
    try test.write("b.txt", "new\n")
    let commit = try await test.repository().commit("  # A title that begins with a mark\n\n-n --amend\n ")
    #expect(commit.summary == "# A title that begins with a mark" && commit.branch == "main")
    #expect(try test.git("show", "--format=%B", "--stat", "HEAD").contains("-n --amend"))
    #expect(try test.git("show", "HEAD:a.txt") == "two\n")
    #expect(try test.git("status", "--porcelain") == " M a.txt\n?? b.txt\n")
  }

  @Test(arguments: ["", " \n\t", "a\0b", String(repeating: "x", count: GitCommit.maximumMessage + 1)])
  func aMessageThatIsNoneIsRefused(text: String) async throws {
    try test.write("a.txt", "one\n")
    try test.git("add", "a.txt")
    let error = await #expect(throws: GitError.self) { try await test.repository().commit(text) }
    #expect(error?.code == .refused)
  }

  @Test func aPartOfALargerTreeIsSeenAndNotChanged() async throws {
    try test.write("part/a.txt", "one\n")
    try test.write("rest.txt", "one\n")
    try test.commitAll()
    try test.git("branch", "other")
    try test.write("part/a.txt", "two\n")
    try test.write("rest.txt", "two\n")
    try test.git("add", "rest.txt")
    let repository = try test.repository("part")
    #expect(try await repository.context().changedPaths.map(\.path) == ["a.txt"])
    let diff = try await repository.diff()
    #expect(diff.text.contains("b/a.txt") && !diff.text.contains("rest.txt"))
    for operation in [
      { _ = try await repository.checkOut("other") }, { _ = try await repository.commit("A message") },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: GitError.self) { try await operation() }
      #expect(error?.code == .refused)
    }
  }

  @Test func filesThatPassThroughAFilterAreNotCheckedOut() async throws {
    try test.write(".gitattributes", "*.bin filter=store\n")
    try test.write("a.bin", "content\n")
    try test.commitAll()
    try test.git("branch", "other")
    #expect(try await test.repository().checkOut("other").branch == "other")
    try test.git("config", "filter.store.clean", "cat")
    let error = await #expect(throws: GitError.self) { try await test.repository().checkOut("main") }
    #expect(error?.code == .refused && error?.message.contains("store") == true)
  }
}
