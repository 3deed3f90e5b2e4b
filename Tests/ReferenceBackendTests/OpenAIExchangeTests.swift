import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// One exchange of the adapter, without a network and in virtual time.
@Suite(.timeLimit(.minutes(10)))
struct OpenAIExchangeTests {
  private static let question = ModelConversation(messages: [.user("x")], tools: [])
  private static let eventStream = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"])

  private let clock = SteppedClock()

  private func model(
    _ transport: ScriptedTransport, key: String? = nil, systemPrompt: String? = nil, answerLimit: Int = 1_000
  ) throws -> OpenAIModel {
    try OpenAIModel(
      baseURL: "https://script.test/v1/", model: "m", key: key, systemPrompt: systemPrompt, answerLimit: answerLimit,
      transport: transport, clock: TransportClock(clock))
  }

  private func answering(_ steps: [ScriptedTransport.Step]) -> ScriptedTransport {
    ScriptedTransport { _ in .response(Self.eventStream, steps) }
  }

  private static func event(_ delta: String, finish: String? = nil) -> ScriptedTransport.Step {
    let reason = finish.map { #","finish_reason":"\#($0)""# } ?? ""
    return .bytes(Array("data: {\"choices\":[{\"delta\":\(delta)\(reason)}]}\n\n".utf8))
  }

  private func failure(of model: OpenAIModel) async -> ModelError? {
    await #expect(throws: ModelError.self) { try await model.reply(to: Self.question) { _ in } }
  }

  // MARK: The request

  @Test func theRequestIsAPostWithTheKeyAndTheQuestion() async throws {
    let transport = answering([Self.event(#"{"content":"y"}"#, finish: "stop"), .end])
    try await model(transport, key: "sk-test").reply(to: Self.question) { _ in }
    let request = try #require(transport.requests.first?.request)
    #expect(request.method == .post && request.path == "/v1/chat/completions")
    #expect(request.headerFields[.authorization] == "Bearer sk-test")
    #expect(request.headerFields[.contentType] == "application/json")
  }

  @Test(arguments: [nil, "Answer like a pirate."])
  func aSystemPromptStandsInPlaceOfTheUsualOne(_ prompt: String?) async throws {
    let transport = answering([Self.event(#"{"content":"y"}"#, finish: "stop"), .end])
    var question = Self.question
    question.context = ["app": "shop"]
    try await model(transport, systemPrompt: prompt).reply(to: question) { _ in }
    let body = try JSONValue(parsing: try #require(transport.requests.first?.body)).objectValue
    let messages = body?["messages"]?.arrayValue?.compactMap(\.objectValue) ?? []
    #expect(messages.map { $0["role"] } == ["system", "user"])
    let words = try #require(messages.first?["content"]?.stringValue)
    #expect(words.hasPrefix(prompt ?? "You are a helpful assistant"))
    #expect(words.contains("locale") == (prompt == nil) && words.contains(#"{"app":"shop"}"#))
  }

  // MARK: Silence and cancellation

  @Test func aModelThatDoesNotAnswerIsGivenUp() async throws {
    let model = try model(ScriptedTransport { _ in .never })
    async let outcome = failure(of: model)
    await clock.waitForSleeper(until: .seconds(120))
    clock.advance(by: .seconds(120))
    let error = await outcome
    #expect(error?.code == .unreachable)
    #expect(error?.message == "The model at https://script.test/v1/chat/completions sent nothing for 120 seconds.")
  }

  /// - Returns: what the adapter says of an answer that stops behind these steps, once the time for more is over.
  private func reply(stoppingAfter step: ScriptedTransport.Step) async throws -> ModelError? {
    let model = try model(answering([step]))
    let reply = Task { [clock] in
      // What is waited for from here on ends at a time of its own.
      try await model.reply(to: Self.question) { output in if case .text = output { clock.advance(by: .seconds(10)) } }
    }
    await clock.waitForSleeper(until: .seconds(130))
    clock.advance(by: .seconds(120))
    do {
      try await reply.value
      return nil
    } catch let error as ModelError {
      return error
    }
  }

  @Test func anAnswerThatFallsSilentIsGivenUp() async throws {
    let error = try await reply(stoppingAfter: Self.event(#"{"content":"half"}"#))
    #expect(error?.code == .unreachable && error?.message.contains("120 seconds") == true)
  }

  /// Comments are what some send while a model thinks, and empty events are no answer either: neither goes on for ever.
  @Test(arguments: [
    (": thinking\n\n", 600, "sent no event for 600 seconds"),
    ("data: {\"choices\":[]}\n\n", 3_600, "did not finish its answer within 3600 seconds"),
  ])
  func aModelThatSaysNothingIsGivenUp(_ bytes: String, _ seconds: Int, _ complaint: String) async throws {
    let pause: [ScriptedTransport.Step] = [
      .bytes(Array(bytes.utf8)), .wait { [clock] in clock.advance(by: .seconds(100)) },
    ]
    let steps = (0..<seconds / 100).flatMap { _ in pause }
    let left = TransportError(.connectionLost, "The endpoint has left.")
    let error = await failure(of: try model(answering(steps + [.bytes(Array(bytes.utf8)), .cut(left)])))
    #expect(error?.message.contains(complaint) == true, "\(error?.message ?? "")")
  }

  @Test func silenceAfterAWholeAnswerIsItsEnd() async throws {
    #expect(try await reply(stoppingAfter: Self.event(#"{"content":"whole"}"#, finish: "stop")) == nil)
  }

  @Test func aTaskThatIsCancelledCancelsTheRequest() async throws {
    let transport = answering([Self.event(#"{"content":"half"}"#)])
    let model = try model(transport)
    let hasBegun = Gate()
    let reply = Task { try await model.reply(to: Self.question) { _ in hasBegun.open() } }
    await hasBegun.wait()
    reply.cancel()
    await #expect(throws: CancellationError.self) { try await reply.value }
    #expect(transport.cancelledBodies == 1)
  }

  @Test func aTaskThatIsCancelledBeforeTheAnswerThrowsNoOtherError() async throws {
    let model = try model(ScriptedTransport { _ in .never })
    let reply = Task { try await model.reply(to: Self.question) { _ in } }
    await clock.waitForSleeper(until: .seconds(120))
    reply.cancel()
    await #expect(throws: CancellationError.self) { try await reply.value }
  }

  @Test func shuttingDownClosesTheTransport() async throws {
    let transport = answering([])
    await (try model(transport)).shutdown()
    #expect(transport.closeCount == 1)
  }

  // MARK: Refusals

  @Test(arguments: [
    (nil, "asks for a key; set OPENAI_API_KEY. It answered 401: You know nothing"),
    ("sk-wrong", "does not accept the key; set OPENAI_API_KEY to one that it knows. It answered 401: You know nothing"),
  ])
  func anAnswerOf401NamesTheRemedy(_ key: String?, _ words: String) async throws {
    let transport = ScriptedTransport { _ in
      .response(HTTPResponse(status: .unauthorized), [.bytes(Array("You know nothing".utf8)), .end])
    }
    let error = await failure(of: try model(transport, key: key))
    #expect(error?.code == .refused)
    #expect(error?.message == "The model at https://script.test/v1/chat/completions \(words)")
  }

  @Test func aKeyThatTheEndpointRepeatsIsHidden() async throws {
    let refusal = #"{"error":{"message":"sk-secret is no key of ours, sk-secret"}}"#
    let refusing = ScriptedTransport { _ in
      .response(HTTPResponse(status: .unauthorized), [.bytes(Array(refusal.utf8)), .end])
    }
    let mistyped = ScriptedTransport { _ in
      .response(HTTPResponse(status: .ok, headerFields: [.contentType: "text/sk-secret"]), [.end])
    }
    let breaking = answering([.bytes(Array("data: \(refusal)\n\n".utf8))])
    for transport in [refusing, mistyped, breaking] {
      let message = try #require(await failure(of: try model(transport, key: "sk-secret"))?.message)
      #expect(!message.contains("sk-secret") && message.contains("(hidden)"), "\(message)")
    }
  }

  @Test func aLostConnectionIsReportedWithItsReason() async throws {
    let lost = TransportError(.connectionLost, "The cable was cut.")
    let unreached = await failure(of: try model(ScriptedTransport { _ in .failure(lost) }))
    #expect(
      unreached?.message == "The model at https://script.test/v1/chat/completions cannot be reached. The cable was cut."
    )
    let broken = await failure(of: try model(answering([Self.event(#"{"content":"half"}"#), .cut(lost)])))
    #expect(broken?.message == "The model's answer broke off. The cable was cut.")
    #expect(broken?.code == .unreachable)
  }

  // MARK: Limits

  /// Each token comes in an event many times its size.
  @Test func theLimitIsOfTheAnswerAndNotOfItsEvents() async throws {
    let padding = String(repeating: "p", count: 2_000)
    let token = Self.event(#"{"content":"t","padding":"\#(padding)"}"#)
    let text = Mutex("")
    try await model(answering([token, token, Self.event("{}", finish: "stop"), .end])).reply(to: Self.question) {
      if case .text(let piece) = $0 { text.withLock { $0 += piece } }
    }
    #expect(text.withLock { $0 } == "tt")
  }

  @Test(arguments: [
    #"{"content":"12345678901"}"#, #"{"refusal":"12345678901"}"#,
    #"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"123456789"}}]}"#,
    #"{"tool_calls":[{"index":0,"id":"123456","function":{"name":"12345","arguments":""}}]}"#,
    #"{"padding":"\#(String(repeating: "p", count: 3_000))"}"#,
  ])
  func anAnswerBeyondTheLimitIsMalformed(_ delta: String) async throws {
    let error = await failure(of: try model(answering([Self.event(delta)]), answerLimit: 10))
    #expect(error?.code == .malformed && error?.message.contains("larger than 10 bytes") == true)
  }

  @Test func aRefusalOfTheModelsOwnIsText() async throws {
    let text = Mutex("")
    let transport = answering([Self.event(#"{"content":null,"refusal":"I won't."}"#, finish: "stop"), .end])
    try await model(transport).reply(to: Self.question) {
      if case .text(let piece) = $0 { text.withLock { $0 += piece } }
    }
    #expect(text.withLock { $0 } == "I won't.")
  }
}
