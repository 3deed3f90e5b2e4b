import Foundation
import ResolveKitAuthoring
import ResolveKitUI
import Testing

// The README's agent. `Tools/check` compares the two.

@ResolveKit(name: "count_words", description: "Counts the words of a text.", requiresApproval: false)
struct CountWords: ResolveKitFunction {
  func perform(text: String) async throws -> Int { text.split(whereSeparator: \.isWhitespace).count }
}

@Suite("Example: an agent with one tool")
@MainActor
struct AgentExample {
  @Test("the model calls the tool and answers with its result", .timeLimit(.minutes(10)))
  func answers() async throws {
    let backend = try await SampleBackend.open()
    let (url, key, tls) = (backend.url, SampleBackend.apiKey, backend.tls)
    let question = #"call count_words {"text":"one two three"}"#
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }

    let runtime = ResolveKitRuntime(
      configuration: ResolveKitConfiguration(
        baseURL: url, apiKeyProvider: { key }, functions: [CountWords.self], tls: tls))
    try await runtime.start()
    let turn = try await runtime.respond(to: question)
    print(turn.text)

    await runtime.finish()
    await backend.close()
    #expect(printed.first?.contains("The tool count_words answered: 3") == true)
  }
}
