import Glibc
import Testing

@testable import CodexCompanion

@Suite struct ControlSocketFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("control.sock") }

  init() throws { folder = try TemporaryFolder() }

  private func code(_ path: String? = nil) throws -> ControlError.Code {
    try #require(throws: ControlError.self) { try ControlSocketFile(claiming: path ?? self.path) }.code
  }

  @Test func thePlaceBelongsToOneProcess() throws {
    let first = try ControlSocketFile(claiming: path)
    #expect(try code() == .alreadyRunning)
    withExtendedLifetime(first) {}
  }

  @Test func aFolderThatOthersCanEnterIsRefused() throws {
    for mode in [0o755, 0o710, 0o701, 0o770] {
      #expect(chmod(folder.path, mode_t(mode)) == 0)
      #expect(try code() == .path)
    }
    #expect(chmod(folder.path, 0o700) == 0)
    _ = try ControlSocketFile(claiming: path)
  }

  @Test func whatIsNoSocketStays() throws {
    try folder.write("precious", to: "control.sock")
    #expect(try code() == .path)
    #expect(try folder.text("control.sock") == "precious")
  }

  @Test func aPathHasToFit() throws {
    #expect(try code("relative.sock") == .path)
    #expect(try code("") == .path)
    #expect(try code("/\(String(repeating: "x", count: 107))") == .path)
    #expect(try code("/tmp/a\u{0}b") == .path)
    #expect(try code("/tmp/\(String(repeating: "ü", count: 60))") == .path)
    #expect(try code(folder.file("missing/control.sock")) == .path)
  }

  @Test func aLockThatIsALinkIsRefused() throws {
    #expect(symlink("/etc/passwd", path + ".lock") == 0)
    #expect(try code() == .path)
  }
}
