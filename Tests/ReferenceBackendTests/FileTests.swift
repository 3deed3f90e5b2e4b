import Foundation
import HTTPTypes
import Hummingbird
import ReferenceBackend
import ResolveKitCore
import Synchronization
import Testing

/// Files beside the contract's routes.
@Suite(.timeLimit(.minutes(10)))
struct FileTests {
  private func get(_ path: String, of harness: Harness) async throws -> (status: Int, body: [UInt8]) {
    let response = try await harness.respond(.get, path, key: nil)
    let bytes = Mutex<[UInt8]>([])
    try await response.body.write(ClosureBodyWriter { chunk in bytes.withLock { $0 += chunk } })
    return (response.status.code, bytes.withLock { $0 })
  }

  @Test func filesAreServedWithoutAKeyWhereTheContractHasNoRoute() async throws {
    let folder = try TemporaryFolder()
    let files = folder.path("files")
    try FileManager.default.createDirectory(atPath: files + "/part", withIntermediateDirectories: true)
    let large = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    for (name, content) in [
      ("files/index.html", Array("a page".utf8)), ("files/part/large", large), ("files/health", Array("no".utf8)),
      ("secret", Array("no".utf8)),
    ] {
      try Data(content).write(to: URL(filePath: folder.path(name)))
    }
    let harness = try await Harness(files: files)
    let whole = try await get("/part/large", of: harness)
    #expect(whole.status == 200 && whole.body == large)
    #expect(try await get("/index.html", of: harness).body == Array("a page".utf8))
    #expect(try await get("/", of: harness).body == Array("a page".utf8))
    // The contract's own routes and refusals stay what they are, and nothing outside the folder is served.
    #expect(try await harness.call(.get, "/health", key: nil).json == ["status": "ok"])
    #expect(try await harness.call(.get, "/v1/functions", key: nil).status == 401)
    for path in ["/nothing", "/../secret", "/%2e%2e/secret", "/part/../../secret"] {
      let answer = try await get(path, of: harness)
      #expect(answer.status >= 400, "\(path)")
      #expect(answer.body != Array("no".utf8), "\(path)")
    }
  }

  @Test func withoutAFolderThereIsNothing() async throws {
    let harness = try await Harness()
    #expect(try await harness.call(.get, "/index.html", key: nil).status == 404)
  }
}
