import Testing

@testable import CodexCompanion

@Suite struct GitParsingTests {
  private func context(_ lines: String..., prefix: String = "") -> GitContext {
    GitStatusReader(prefix: Array(prefix.utf8)).context(lines.map { Array($0.utf8)[...] })
  }

  @Test func everyKindOfLineIsRead() {
    let context = context(
      "# branch.oid 0123", "# branch.head feature/x", "# stash 1", "! ignored",
      "1 M. N... 100644 100644 100644 aa bb a b.txt", "2 RM N... 100644 100644 100644 aa bb R100 new.txt", "old.txt",
      "u UU N... 100644 100644 100644 100644 aa bb cc both.txt", "? new/")
    #expect(context.branch == "feature/x")
    #expect(
      context.changedPaths == [
        GitChangedPath(path: "a b.txt", indexStatus: "M", workingTreeStatus: " "),
        GitChangedPath(path: "new.txt", indexStatus: "R", workingTreeStatus: "M"),
        GitChangedPath(path: "both.txt", indexStatus: "U", workingTreeStatus: "U"),
        GitChangedPath(path: "new/", indexStatus: "?", workingTreeStatus: "?"),
      ])
    #expect(context.stagedFiles == 3 && context.unstagedFiles == 2 && context.untrackedFiles == 1)
  }

  @Test func pathsAreReportedFromTheProjectOn() {
    let context = context("? part/a.txt", "? rest.txt", "? part/", prefix: "part/")
    #expect(context.changedPaths.map(\.path) == ["a.txt"])
  }

  @Test(arguments: ["", "1", "1 M", "1 M. N... 1 2 3 a b", "1 MMM N... 1 2 3 a b x", "2 R.", "u", "?", "? ", "#"])
  func aBadLineIsPassedOver(line: String) {
    #expect(context(line) == GitContext(isRepository: true, branch: "HEAD"))
  }

  @Test func manyPathsAreCountedAndNotAllListed() {
    var context = GitContext(isRepository: true)
    for index in 0..<1_500 {
      context.add(GitChangedPath(path: "\(index)", indexStatus: "?", workingTreeStatus: "?"))
    }
    #expect(context.untrackedFiles == 1_500 && context.changedPaths.count == GitContext.maximumPaths)
  }

  @Test func filtersAndHooksAreSilencedByTheirNames() throws {
    let keys = [
      "core.bare", "filter.lfs.clean", "filter.lfs.process", "filter.a=b.c.smudge", "filter.x", "filterx.y.clean",
      "hook.mine.command", "filter..clean",
    ]
    let settings = try GitSettings(silencing: keys.map { Array($0.utf8)[...] })
    #expect(settings.filters.map { String(decoding: $0, as: UTF8.self) } == ["lfs", "a=b.c", ""])
    let added = settings.settings.dropFirst(GitSettings.always.count).map {
      "\(String(decoding: $0.key, as: UTF8.self))=\($0.value)"
    }
    #expect(
      added.prefix(4) == [
        "filter.lfs.clean=", "filter.lfs.smudge=", "filter.lfs.process=", "filter.lfs.required=false",
      ])
    #expect(added.contains("filter.a=b.c.clean=") && added.last == "hook.mine.enabled=false")
  }

  @Test func aNameThatIsNoTextIsSilencedByItsBytes() throws {
    let key: [UInt8] = Array("filter.".utf8) + [0xFF, 0x3D] + Array(".clean".utf8)
    let settings = try GitSettings(silencing: [key[...]])
    let environment = GitEnvironment(from: [:], programFolder: "/usr/bin")
      .variables(for: GitCommand("status"), settings: settings)
    #expect(environment.contains(Array("GIT_CONFIG_KEY_\(GitSettings.always.count)=".utf8) + key + [0]))
  }

  @Test func tooManyNamesAreRefused() {
    let keys = (0...GitSettings.maximumNames).map { Array("filter.f\($0).clean".utf8)[...] }
    #expect(throws: GitError.self) { try GitSettings(silencing: keys) }
    #expect(throws: GitError.self) {
      try GitSettings(silencing: [Array("filter.\(String(repeating: "x", count: 2_000)).clean".utf8)[...]])
    }
  }
}
