import Foundation
import ResolveKitCore
import Testing

@testable import CodexCompanion

@Suite final class ProjectCatalogTests {
  private let base =
    URL(filePath: NSTemporaryDirectory()).resolvingSymlinksInPath().path(percentEncoded: false)
    + "projects-test-\(UUID().uuidString)"
  private var file: String { base + "/state/projects.json" }

  init() throws {
    for folder in ["state", "one", "two/inner", "two\u{338}"] {
      try FileManager.default.createDirectory(atPath: "\(base)/\(folder)", withIntermediateDirectories: true)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: base) }

  private func catalog() async throws -> ProjectCatalog {
    let catalog = try ProjectCatalog(file: file)
    await catalog.note(folder: base + "/one", updatedAt: 10)
    await catalog.note(folder: base + "/two", updatedAt: 20)
    await catalog.note(folder: base + "/two/inner", updatedAt: 5)
    return catalog
  }

  private func id(_ name: String) -> String { Project.id(of: base + "/" + name) }

  @Test func theLatestIsFirst() async throws {
    let catalog = try await catalog()
    await catalog.note(folder: base + "/one", updatedAt: 30)
    await catalog.note(folder: base + "/one", updatedAt: 1)
    let visible = await catalog.visible
    #expect(visible.map(\.title) == ["one", "two", "inner"])
    #expect(visible.map(\.updatedAt) == [30, 20, 5])
    #expect(try await catalog.project(id("one")).folder == base + "/one")
  }

  @Test(arguments: ["", "relative", "../x", "/a\0b", "/" + String(repeating: "x", count: 5_000)])
  func whatIsNoFolderIsNoProject(path: String) async throws {
    let catalog = try ProjectCatalog(file: file)
    await catalog.note(folder: path, updatedAt: 1)
    #expect(await catalog.visible.isEmpty)
  }

  @Test(arguments: ["", "..", "000000000000", "/etc", "one"]) func whatIsNotKnownIsNotFound(id: String) async throws {
    let catalog = try await catalog()
    let error = await #expect(throws: ProjectError.self) { try await catalog.project(id) }
    #expect(error?.code == .notFound && error?.message == "Project not found")
    let switching = await #expect(throws: ProjectError.self) { try await catalog.set(id, isHidden: false) }
    #expect(switching?.code == .notFound)
  }

  @Test func aFolderThatIsGoneIsReportedAsSuch() async throws {
    let catalog = try await catalog()
    try FileManager.default.removeItem(atPath: base + "/one")
    let error = await #expect(throws: ProjectError.self) { try await catalog.project(self.id("one")) }
    #expect(error?.code == .folderGone)
    try Data().write(to: URL(filePath: base + "/one"))
    await #expect(throws: ProjectError.self) { try await catalog.project(self.id("one")) }
  }

  @Test func aHiddenProjectIsNeitherSeenNorDriven() async throws {
    let catalog = try await catalog()
    try await catalog.set(base + "/two", isHidden: true)
    #expect(await catalog.visible.map(\.title) == ["one"])
    #expect(await catalog.all.map(\.isHidden) == [true, false, true])
    for name in ["two", "two/inner"] {
      let error = await #expect(throws: ProjectError.self) { try await catalog.project(self.id(name)) }
      #expect(error?.code == .notFound)
      #expect(await !catalog.shows(folder: base + "/" + name))
    }
    #expect(await catalog.shows(folder: base + "/one"))
    try await catalog.set(base + "/two", isHidden: false)
    #expect(await catalog.visible.count == 3)
  }

  @Test func aHiddenProjectIsHiddenUnderEveryPath() async throws {
    let catalog = try await catalog()
    try FileManager.default.createSymbolicLink(atPath: base + "/link", withDestinationPath: base + "/two")
    try await catalog.set(base + "/two", isHidden: true)
    for path in ["/link", "/link/inner", "/two/", "/two/.", "/one/../two/inner", "/two/\u{338}new", "/two//inner"] {
      await catalog.note(folder: base + path, updatedAt: 50)
    }
    await catalog.note(folder: base + "/two-more", updatedAt: 1)
    #expect(await catalog.visible.map(\.title) == ["one", "two-more"])
  }

  @Test func theSwitchIsKept() async throws {
    try await catalog().set(base + "/two", isHidden: true)
    do {
      let again = try await catalog()
      #expect(await again.visible.map(\.title) == ["one"])
      // A change beside a companion that serves would not be noticed.
      #expect(throws: ProjectError.self) { try ProjectCatalog(file: self.file) }
    }
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
    // Codex does not report it any more, and it can still be shown again.
    try await ProjectCatalog(file: file).set(base + "/two", isHidden: false)
    #expect(await (try catalog()).visible.count == 3)
  }

  @Test(arguments: [
    "", "{", "[]", "{}", #"{"format":"codex-companion-hidden-projects","version":2,"hidden":[]}"#,
    #"{"format":"codex-companion-hidden-projects","version":1,"hidden":[1]}"#,
    #"{"format":"codex-companion-hidden-projects","version":1,"hidden":["x"]}"#, #"{"version":1,"hidden":[]}"#,
  ])
  func aFileThatCannotBeReadHidesNothingSilently(text: String) throws {
    _ = FileManager.default.createFile(
      atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    let error = #expect(throws: ProjectError.self) { try ProjectCatalog(file: self.file) }
    #expect(error?.code == .storage)
  }

  @Test func whatCannotBeKeptIsNotChanged() async throws {
    let catalog = try await catalog()
    try FileManager.default.removeItem(atPath: base + "/state")
    let error = await #expect(throws: ProjectError.self) { try await catalog.set(self.base + "/two", isHidden: true) }
    #expect(error?.code == .storage)
    #expect(await catalog.visible.count == 3)
  }

  @Test func manyProjectsAreBounded() {
    var list = ProjectList(limit: 10)
    for index in 0..<50 { list.note(folder: "/p\(index)", updatedAt: index) }
    #expect(list.all.map(\.title) == (40..<50).reversed().map { "p\($0)" })
    list.note(folder: "/old", updatedAt: .min)
    #expect(list.all.count == 10 && list.project(Project.id(of: "/old")) == nil)
  }

  @Test func theIDIsAHashOfThePath() {
    // printf %s /home/user/project | sha256sum
    #expect(Project.id(of: "/home/user/project") == "9dad1e4e08b0")
    #expect(Project(folder: "/", updatedAt: 0)?.title == "/")
    #expect(
      Project(folder: "/a/b", updatedAt: 7)?.json == [
        "id": .string(Project.id(of: "/a/b")), "cwd": "/a/b", "title": "b", "lastUpdatedAt": 7,
      ])
  }
}
