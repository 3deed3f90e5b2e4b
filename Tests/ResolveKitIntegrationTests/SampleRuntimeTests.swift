import Foundation
import Observation
import ResolveKitUI
import Testing

/// The documentation's properties and methods of the runtime, at work.
@Suite(.timeLimit(.minutes(10)))
@MainActor
struct SampleRuntimeTests {
  private func withRuntime(
    _ body: (ResolveKitRuntime, RuntimeMethods) async throws -> Void
  ) async throws {
    let backend = try await SampleBackend.open()
    var configuration = ResolveKitConfiguration(
      apiKeyProvider: { nil }, localeProvider: { "en" }, functions: [GetLocalTime.self, SendMessage.self])
    configuration.reusesActiveSession = false
    let runtime = ResolveKitRuntime(configuration: backend.reached(by: configuration))
    do {
      try await body(runtime, RuntimeMethods(of: runtime))
    } catch {
      await runtime.finish()
      await backend.close()
      throw error
    }
    await runtime.finish()
    await backend.close()
  }

  /// Sends one message; `decide` answers when a person is asked. Returns when the turn has ended.
  private func say(_ text: String, to runtime: ResolveKitRuntime, _ decide: () async -> Void) async {
    let updates = runtime.updates()
    await runtime.sendMessage(text)
    for await update in updates {
      switch update {
      case .approvalNeeded: await decide()
      case .turn: return
      default: continue
      }
    }
  }

  /// Waits for what the observable state comes to.
  private func wait(until isSo: () -> Bool) async {
    while true {
      let (changes, change) = AsyncStream.makeStream(of: Void.self)
      guard !withObservationTracking(isSo, onChange: { change.yield() }) else { return }
      for await _ in changes { break }
    }
  }

  @Test func whatIsDocumentedIsThereBeforeTheStart() async throws {
    try await withRuntime { runtime, _ in
      let properties = RuntimeProperties(of: runtime)
      #expect(DocumentedWords.of(properties.connectionState) == "idle")
      #expect(properties.messages.isEmpty && !properties.isTurnInProgress && properties.pendingToolCall == nil)
      #expect(properties.toolCallChecklist.isEmpty && properties.toolCallBatches.isEmpty)
      #expect(properties.toolCallBatchState == .idle && properties.lastError == nil)
      #expect(properties.chatTheme == .default && DocumentedWords.of(properties.appearanceMode) == "system")
      #expect(properties.currentLocale == "en" && !properties.chatTitle.isEmpty)
      #expect(!properties.messagePlaceholder.isEmpty)
    }
  }

  @Test func aBatchIsApprovedOrDeclinedByEitherName() async throws {
    try await withRuntime { runtime, methods in
      try await methods.start()
      await wait { runtime.connectionState == .active }
      let call = #"call send_message {"contactName":"Ona","messageText":"hi","urgent":true}"#
      let decisions = [
        (methods.approveToolCallBatch, "completed"), (methods.declineToolCallBatch, "cancelled"),
        (methods.approveCurrentToolCall, "completed"), (methods.denyCurrentToolCall, "cancelled"),
      ]
      for (number, (decide, word)) in decisions.enumerated() {
        await say(call, to: runtime) {
          await wait { runtime.pendingToolCall != nil }
          let asked = RuntimeProperties(of: runtime)
          #expect(asked.pendingToolCall?.functionName == "send_message" && asked.isTurnInProgress)
          #expect(asked.toolCallBatchState == .awaitingApproval)
          #expect(asked.toolCallChecklist.map { DocumentedWords.of($0.status) } == ["pendingApproval"])
          await decide()
        }
        await wait { !runtime.isTurnInProgress }
        let after = RuntimeProperties(of: runtime)
        #expect(after.toolCallChecklist.map { DocumentedWords.of($0.status) } == [word])
        #expect(after.pendingToolCall == nil && after.toolCallBatches.count == number + 1)
        // The greeting, then a question and its answer each time.
        #expect(after.messages.count == 3 + 2 * number && after.messages.last?.role == .assistant)
      }
      #expect(runtime.executionLog.contains { $0.contains("turn_complete") })
    }
  }

  @Test func appearanceLocaleAndContextChangeAtRuntime() async throws {
    try await withRuntime { runtime, methods in
      for mode in [ResolveKitAppearanceMode.light, .dark, .system] {
        methods.setAppearance(mode)
        #expect(runtime.appearanceMode == mode)
      }
      try await methods.start()
      let english = RuntimeProperties(of: runtime)
      await methods.setLocale("lt")
      await wait { runtime.currentLocale == "lt" && runtime.chatTitle != english.chatTitle }
      #expect(runtime.messagePlaceholder != english.messagePlaceholder)
      await methods.setLocale(nil)
      await wait { runtime.currentLocale == "en" && runtime.chatTitle == english.chatTitle }
      try await methods.refreshSessionContext()
    }
  }

  @Test func aNewSessionClearsTheTranscript() async throws {
    try await withRuntime { runtime, methods in
      try await methods.start()
      await say("hello", to: runtime) {}
      await wait { runtime.messages.count == 3 && !runtime.isTurnInProgress }
      await methods.reloadWithNewSession()
      // The greeting alone.
      await wait { runtime.connectionState == .active && runtime.messages.map(\.role) == [.assistant] }
      #expect(runtime.lastError == nil)
      await say("again", to: runtime) {}
      await wait { runtime.messages.count == 3 }
      #expect(runtime.messages[1].text == "again")
    }
  }

  @Test func withoutAKeyItIsBlocked() async throws {
    let backend = try await SampleBackend.open()
    for key in [nil, ""] {
      var configuration = backend.reached(by: ResolveKitConfiguration(apiKeyProvider: { nil }))
      configuration.apiKeyProvider = { key }
      let runtime = ResolveKitRuntime(configuration: configuration)
      await #expect(throws: ResolveKitStartError.self) { try await RuntimeMethods(of: runtime).start() }
      await wait { runtime.connectionState == .blocked }
      #expect(DocumentedWords.of(runtime.connectionState) == "blocked" && runtime.lastError != nil)
      await runtime.finish()
    }
    await backend.close()
  }
}
