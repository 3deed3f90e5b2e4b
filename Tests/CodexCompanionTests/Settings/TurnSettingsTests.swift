import ResolveKitCore
import Testing

@testable import CodexCompanion

/// The settings of chats, from what codex says of them.
@Suite struct TurnSettingsTests {
  private let codex = ScriptedCodex()

  @Test func aChatsModelIsTheThreadsOwn() async throws {
    codex.on("thread/read") { _ in ["thread": ["model": "other", "reasoningEffort": "low"]] }
    let model = try await TurnSettings(link: codex).model(ofChat: "c")
    #expect(model == ["model": "other", "modelReasoningEffort": "low"])
    #expect(codex.params(of: "thread/read") == [["threadId": "c"]])
    codex.on("thread/read") { _ in [:] }
    let unknown = try await TurnSettings(link: codex).model(ofChat: "c")
    #expect(unknown == ["model": .null, "modelReasoningEffort": .null])
  }

  @Test func aRefusalOfCodexIsAnErrorOfTheChat() async {
    await #expect(throws: ChatError.self) { try await TurnSettings(link: codex).model(ofChat: "c") }
  }
}
