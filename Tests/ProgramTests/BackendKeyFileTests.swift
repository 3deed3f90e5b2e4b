import Foundation
import Subprocess
import Testing

/// `backend` and the files that keys are in.
@Suite(.timeLimit(.minutes(10)))
struct BackendKeyFileTests {
  @Test(arguments: ["--api-key-file", "--operator-key-file"], [0o604, 0o602, 0o644])
  func oneThatIsOpenToEveryUserIsRefused(_ option: String, _ mode: Int) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(
      FileManager.default.createFile(
        atPath: path, contents: Data("rk_secret\n".utf8), attributes: [.posixPermissions: mode]))
    let outcome = try await BuiltProgram(name: "backend")
      .run(["serve", "--port", "0", "--database", ":memory:", option, path])
    #expect(!outcome.status.isSuccess)
    #expect(outcome.error.contains("open to every user") && outcome.error.contains(path))
    #expect(!outcome.error.contains("rk_secret"))
  }
}
