import Foundation
import Testing

@testable import CodexCompanion

/// Repositories that were made to run programs through git.
@Suite struct GitArmedRepositoryTests {
  private let test: TestRepository

  init() throws {
    test = try TestRepository()
    try prepare()
    try arm()
  }

  private static let files = ["a.txt", "b.dat", "c.inc", "d.doc"]

  /// The names of the traps that ran.
  private var fired: Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: test.base + "/fired")) ?? ["no folder"])
  }

  /// A branch to commit on, one to check out, and one that lacks an object, which only a fetch could bring.
  private func prepare() throws {
    try test.write(
      ".gitattributes",
      "*.txt filter=a=b diff=driver merge=driver\n*.dat filter=p=q\n*.inc filter=only=conditional\n*.doc diff=converted\n"
    )
    for name in Self.files { try test.write(name, "one\n") }
    try test.commitAll()
    try addSubmodule()
    try test.git("switch", "--quiet", "--create", "other")
    for name in Self.files { try test.write(name, "two\n") }
    try test.commitAll()
    try test.git("switch", "--quiet", "--create", "lacking")
    try test.write("a.txt", "lost\n")
    try test.commitAll()
    let object = try test.git("rev-parse", "HEAD:a.txt").dropLast()
    try test.git("switch", "--quiet", "main")
    try FileManager.default.removeItem(atPath: test.folder + "/.git/objects/\(object.prefix(2))/\(object.dropFirst(2))")
    try test.write("staged.md", "staged\n")
    try test.git("add", "staged.md")
  }

  private func addSubmodule() throws {
    try test.git("init", "--quiet", "../origin")
    try test.write("../origin/s.txt", "one\n")
    try test.write("../origin/.gitattributes", "*.txt filter=only=sub\n")
    try test.git("-C", "../origin", "add", "--all")
    try test.git("-C", "../origin", "commit", "--quiet", "--message", "Sub")
    try test.git(
      "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--name", "sub", "\(test.base)/origin", "sub")
    try test.commitAll()
  }

  private func arm() throws {
    try FileManager.default.createDirectory(atPath: test.base + "/fired", withIntermediateDirectories: true)
    try writeProgram("../trap", ArmedConfiguration.program(in: test))
    // Git gives this one its own arguments alone.
    for name in ["config", "included", "conditional", "sub"] {
      let trap = ArmedConfiguration.trap("\(name)-gpg", in: test)
      try writeProgram("../gpg-\(name)", "#!/bin/sh\n\(trap)\n")
    }
    for hook in ArmedConfiguration.hooks {
      let script = { (name: String) in "#!/bin/sh\n\(ArmedConfiguration.trap(name, in: test))\n" }
      try writeProgram(".git/hooks/\(hook)", script("hook-\(hook)"))
      try writeProgram("hooks/\(hook)", script("path-\(hook)"))
    }
    for name in ["included", "conditional"] {
      try test.write(".git/\(name)", ArmedConfiguration(name: name, test: test).text)
    }
    try extend(".git/config", "config")
    try extend(".git/modules/sub/config", "sub")
    let more = """
      [include]
      path = included
      [includeIf "onbranch:**"]
      path = conditional
      [core]
      repositoryFormatVersion = 1
      [extensions]
      partialClone = origin

      """
    try test.write(".git/config", #require(test.read(".git/config")) + more)
  }

  private func extend(_ path: String, _ name: String) throws {
    try test.write(path, #require(test.read(path)) + ArmedConfiguration(name: name, test: test).text)
  }

  private func writeProgram(_ path: String, _ text: String) throws {
    try test.write(path, text)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: test.folder + "/" + path)
  }

  @Test func nothingThatTheRepositoryNamesIsRun() async throws {
    let repository = try test.repository()
    for path in Self.files { try test.write(path, "three\n") }
    // As long as it was: git has to look at the content, through the submodule's own filter.
    try test.write("sub/s.txt", "two\n")
    let context = try await repository.context()
    #expect(context.branch == "main")
    #expect(context.changedPaths.map(\.path).sorted() == Self.files + ["hooks/", "staged.md"])
    #expect(fired == [])
    #expect(try await repository.branches().map(\.name) == ["main", "lacking", "other"])
    #expect(fired == [])
    #expect(try await repository.diff().text.split(separator: "\n").filter { $0 == "+three" }.count == Self.files.count)
    #expect(try await repository.diff(path: "b.dat").text.contains("+three"))
    #expect(fired == [])
    #expect(try await repository.commit("Without traps").summary == "Without traps")
    #expect(fired == [])
    for path in Self.files { try test.write(path, "one\n") }
    #expect(try await repository.checkOut("other").branch == "other")
    for path in Self.files { #expect(test.read(path) == "two\n") }
    #expect(fired == [])
    // Of a file that cannot be read git says nothing but that it is not there.
    let lacking = try await repository.checkOut("lacking").changedPaths
    #expect(lacking.contains(GitChangedPath(path: "a.txt", indexStatus: " ", workingTreeStatus: "D")))
    #expect(fired == [])
  }

  /// Without this, a trap that cannot fire would pass for one that was silenced.
  @Test func plainGitRunsIt() throws {
    for path in Self.files { try test.write(path, "three\n") }
    // An order that is no file ends every diff.
    try test.git("config", "--file", ".git/conditional", "diff.orderFile", "/dev/null")
    let said = try [
      test.git("status", demanded: false), test.git("diff", demanded: false),
      test.git("diff", "--no-ext-diff", "d.doc", demanded: false),
      test.git("commit", "--message", "x", demanded: false),
      test.git("cat-file", "blob", "lacking:a.txt", demanded: false),
      test.git("checkout", "--force", "other", demanded: false),
    ]
    let names = Set(fired.map { $0.split(separator: "-").dropFirst().joined(separator: "-") })
    let due: Set = [
      "fsmonitor", "clean", "process", "only-clean", "external", "command", "textconv", "gpg", "pre-commit", "ext",
      "smudge",
    ]
    #expect(due.subtracting(names) == [], "of \(fired.sorted()), where git said \(said)")
  }
}
