import Foundation
import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import ResolveKitUI
import StreamTransport
import Testing

/// The contract's other sides, over both transports.
@Suite(.timeLimit(.minutes(10)))
struct ContractTests {
  @Test(arguments: [TransportKind.http3, .http1])
  func anAnswerThatComesWholeIsShownAsOneThatIsStreamed(kind: TransportKind) async throws {
    let streaming = try await EndToEndFixture.open()
    let whole = try await EndToEndFixture.open(settings: BackendSettings(streamsText: false, eventIDs: .milliseconds))
    let expected = try await streaming.converse(over: streaming.transport(kind))
    let outcome = try await whole.converse(over: whole.transport(kind))
    #expect(outcome.text == expected.text && outcome.shown == expected.text)
    #expect(outcome.text?.isEmpty == false)
    #expect(outcome.toolRuns == 1)
    #expect(outcome.eventIDs.count == 2, "the call and the end: \(outcome.eventIDs)")
    #expect(outcome.eventIDs.allSatisfy { $0.contains("-") })
    await streaming.close()
    await whole.close()
  }

  @Test(arguments: [TransportKind.http3, .http1])
  func repeatedAndSwappedEventsChangeNothing(kind: TransportKind) async throws {
    let steady = try await EndToEndFixture.open()
    let expected = try await steady.converse(over: steady.transport(kind))
    await steady.close()
    for seed in 1...8 {
      let faults = BackendFaults(stream: StreamFaults(duplicate: 0.3, reorder: 0.3, seed: UInt64(seed)))
      let fixture = try await EndToEndFixture.open(faults: faults)
      let outcome = try await fixture.converse(over: fixture.transport(kind))
      #expect(outcome.text == expected.text && outcome.shown == expected.text, "seed \(seed)")
      #expect(outcome.toolRuns == 1, "seed \(seed)")
      await fixture.close()
    }
  }

  @Test(arguments: [TransportKind.http3, .http1])
  @MainActor
  func peopleWordsColoursAndRatings(kind: TransportKind) async throws {
    let theme = ResolveKitChatTheme(light: ResolveKitChatTheme.default.dark, dark: ResolveKitChatTheme.default.light)
    let fixture = try await EndToEndFixture.open(settings: BackendSettings(streamsText: false, theme: theme))
    let transport = fixture.transport(kind)
    let runtime = try fixture.runtime(over: transport)
    let updates = runtime.updates()
    try await runtime.start()
    var sessionID = ""
    for await case .session(let id, _) in updates {
      sessionID = id
      break
    }
    await runtime.setLocale("lt")
    try await runtime.refreshSessionContext()
    for (route, body) in [
      ("human-message", #"{"text":"I am Ana."}"#), ("feedback-requested", "{}"),
      ("session-escalated", #"{"reason":"Ana helps."}"#),
    ] {
      let request = HTTPRequest(
        method: .post, scheme: "https", authority: fixture.origin.authority,
        path: "/internal/sessions/\(sessionID)/\(route)",
        headerFields: [.authorization: "Bearer \(EndToEndFixture.operatorKey)"])
      let answer = try await transport.send(request, body: .bytes(Array(body.utf8)))
      #expect(answer.head.status.kind == .successful)
      _ = try await answer.body.collect(upTo: 1 << 16)
    }
    var person: ResolveKitChatMessage?
    for await update in updates {
      if case .message(let message) = update, message.role == .humanAgent { person = message }
      if case .escalated = update { break }
    }
    #expect(person?.text == "I am Ana.")
    #expect(await runtime.submitFeedback(rating: 5, comment: "ačiū"))
    #expect(await !runtime.submitFeedback(rating: 1), "the first rating counts")
    await runtime.finish()
    #expect(runtime.chatTheme == theme)
    #expect(runtime.currentLocale == "lt")
    #expect(runtime.chatTitle == "Pagalbos pokalbis")
    #expect(runtime.messagePlaceholder == "Žinutė")
    #expect(runtime.messages.first?.text == "Hallo! Wie kann ich heute helfen?")
    #expect(runtime.isEscalated && runtime.escalationReason == "Ana helps.")
    #expect(!runtime.pendingFeedbackRequest)
    await fixture.close()
  }
}
