import Foundation

@testable import CodexCompanion

/// A repository in a folder of its own, made and changed by plain git, with a user who has a name.
final class TestRepository: Sendable {
  /// Holds the rest; goes with the object.
  let base: String
  /// The working tree.
  let folder: String
  let environment: [String: String]

  init() throws {
    base = NSTemporaryDirectory() + "git-test-\(UUID().uuidString)"
    folder = base + "/project"
    environment = ["PATH": "/usr/bin:/bin", "HOME": base]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write("../.gitconfig", "[user]\nname = Somebody\nemail = somebody@example.com\n")
    try git("init", "--quiet", "--initial-branch=main")
  }

  deinit { try? FileManager.default.removeItem(atPath: base) }

  func write(_ path: String, _ text: String) throws {
    let file = URL(filePath: folder + "/" + path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func read(_ path: String) -> String? {
    FileManager.default.contents(atPath: folder + "/" + path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Commits all that is there.
  func commitAll(_ message: String = "A commit") throws {
    try git("add", "--all")
    try git("commit", "--quiet", "--message", message)
  }

  /// Git's output; its errors are printed too, and do not count unless success is `demanded`.
  @discardableResult
  func git(_ arguments: String..., in place: String = "", demanded: Bool = true) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/git")
    process.arguments = ["--no-pager"] + arguments
    process.currentDirectoryURL = URL(filePath: folder + "/" + place)
    process.environment = environment
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 || !demanded else { throw Failure(text: "git \(arguments): \(text)") }
    return text
  }

  struct Failure: Error { var text: String }

  func repository(_ place: String = "") throws -> GitRepository {
    try GitRepository(
      place.isEmpty ? folder : folder + "/" + place, program: GitProgram(environment: environment, slack: .seconds(240))
    )
  }
}
