import Foundation
import Subprocess
import Testing

/// `workers` as an operator runs it beside a server: tokens and the read model.
@Suite(.timeLimit(.minutes(5)))
struct WorkersProgramTests {
  private let workers = BuiltProgram(name: "workers")
  private let folder = FileManager.default.temporaryDirectory.appending(path: "workers-\(UUID().uuidString)")
  private var database: [String] { ["--database", folder.appending(path: "w.sqlite").path(percentEncoded: false)] }

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  @Test func tokensAreIssuedListedAndRevoked() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let secret = try await workers.run(["tokens", "create", "--email", "Ana@Example.com", "--name", "desk"] + database)
    #expect(secret.status.isSuccess && secret.output.hasPrefix("workers_"))
    _ = try await workers.run(["tokens", "create", "--email", "ben@example.com"] + database)
    let listed = try await workers.run(["tokens", "list"] + database)
    let rows = listed.output.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    #expect(rows.count == 2 && rows.allSatisfy { $0.count == 5 })
    #expect(Set(rows.map { "\($0[2]) \($0[4])" }) == ["ana@example.com desk", "ben@example.com API"])
    // A digest alone is kept.
    let word = secret.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(!listed.output.contains(word))
    let ana = try #require(rows.first { $0[2] == "ana@example.com" })
    #expect(try await workers.run(["tokens", "revoke", String(ana[0])] + database).status.isSuccess)
    let rest = try await workers.run(["tokens", "list"] + database)
    #expect(rest.output.split(separator: "\n").count == 1 && rest.output.contains("ben@example.com"))
    let again = try await workers.run(["tokens", "revoke", String(ana[0])] + database)
    #expect(
      !again.status.isSuccess && again.error.contains("There is no token '\(ana[0])'; see 'workers tokens list'."))
  }

  @Test(arguments: ["nobody", "a@b@c", "@"])
  func aTokenIsForAnAddress(_ email: String) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try await !workers.run(["tokens", "create", "--email", email] + database).status.isSuccess)
  }

  @Test func theReadModelIsMadeAgain() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let empty = try await workers.run(["rebuild-projection"] + database)
    #expect(empty.status.isSuccess && empty.output == "0 summaries\n")
  }
}
