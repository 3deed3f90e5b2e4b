import Foundation
import ReferenceBackend
import ResolveKitCore
import ResolveKitNetworking
import ResolveKitUI
import StreamTransport
import Synchronization
import Testing

/// Calls that wait for a person when the client's process ends, and a backend that lives on.
@Suite(.timeLimit(.minutes(10)))
@MainActor
struct PendingApprovalTests {
  private let home = FileManager.default.temporaryDirectory.appending(path: "pending-\(UUID().uuidString)")

  private func journal(_ name: String) -> ResolveKitJournalConfiguration {
    ResolveKitJournalConfiguration(folder: ResolveKitJournalFolder(path: home.appending(path: name).path))
  }

  private func asked(_ updates: ResolveKitRuntimeUpdates) async throws -> ResolveKitApprovalRequest {
    for await update in updates { if case .approvalNeeded(let question) = update { return question } }
    throw CancellationError()
  }

  private func turn(_ updates: ResolveKitRuntimeUpdates) async -> ResolveKitFinishedTurn? {
    for await update in updates { if case .turn(let turn) = update { return turn } }
    return nil
  }

  @Test(arguments: [TransportKind.http3, .http1], [true, false])
  func theyAreAskedAboutAgainAndDecidedOnce(kind: TransportKind, isApproved: Bool) async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let fixture = try await EndToEndFixture.open()
    let key = "\(kind) \(isApproved)"
    let first = try fixture.runtime(
      over: fixture.transport(kind), functions: [OwnersTool.self], journal: journal("first"))
    let seen = first.updates()
    try await first.start()
    await first.sendMessage("call ask_owner {\"key\": \"\(key)\"}")
    let question = try await asked(seen)
    #expect(question.calls.map(\.functionName) == ["ask_owner"])
    // What a process leaves that is killed now; the dead one decides nothing any more.
    try FileManager.default.copyItem(at: home.appending(path: "first"), to: home.appending(path: "second"))

    let transport = fixture.transport(kind)
    let second = try fixture.runtime(over: transport, functions: [OwnersTool.self], journal: journal("second"))
    let updates = second.updates()
    try await second.start()
    let again = try await asked(updates)
    #expect(again.calls == question.calls)
    #expect(OwnersTool.count(key) == 0, "nothing runs before the word")
    if isApproved {
      await second.approveToolCallBatch(again)
    } else {
      await second.declineToolCallBatch(again)
    }
    #expect(await second.approveToolCallBatch(again) == .refused(.over))
    let turn = try #require(await turn(updates))
    #expect(turn.status == .complete)
    #expect(turn.text.contains(isApproved ? "agreed" : "User denied action"), "\(turn.text)")
    #expect(OwnersTool.count(key) == (isApproved ? 1 : 0))
    await second.finish()
    #expect(second.toolCallBatches.map(\.state) == [isApproved ? .finished : .declined])

    // A third process finds nothing to ask about, and the conversation continues.
    let third = try fixture.runtime(
      over: fixture.transport(kind), functions: [OwnersTool.self], journal: journal("second"))
    try await third.start()
    let last = third.updates()
    await third.sendMessage("Tell me a story of 5 words.")
    #expect(await self.turn(last)?.status == .complete)
    await third.finish()
    #expect(third.toolCallBatches.isEmpty)
    #expect(third.messages.map(\.role).suffix(4) == [.user, .assistant, .user, .assistant])
    #expect(OwnersTool.count(key) == (isApproved ? 1 : 0))
    await first.finish()
    await fixture.close()
  }
}

/// A tool that a person must agree to.
private enum OwnersTool: AnyResolveKitFunction {
  static let resolveKitName = "ask_owner"
  static let resolveKitDescription = "Runs once its owner agrees."
  static let resolveKitParametersSchema: JSONObject = [
    "type": "object", "properties": ["key": ["type": "string"]], "required": ["key"],
  ]

  private static let runs = Mutex<[String: Int]>([:])

  static func count(_ key: String) -> Int { runs.withLock { $0[key] ?? 0 } }

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    guard case .string(let key)? = arguments["key"] else { return "no key" }
    runs.withLock { $0[key, default: 0] += 1 }
    return "agreed"
  }
}
