import Foundation
import HTTPTypes
import Logging
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ResolveKitAPIClientTests {
  private let session = ResolveKitSession(id: "s1", eventsURL: "/v1/sessions/s1/events", chatCapabilityToken: "token")

  private func client(
    _ transport: AnsweringTransport, base: String = "https://agent.test/agent", key: String? = "rk_1",
    timeouts: ResolveKitAPITimeouts = ResolveKitAPITimeouts()
  ) throws -> ResolveKitAPIClient {
    ResolveKitAPIClient(
      baseURL: try #require(URL(string: base)), transport: transport, apiKeyProvider: { key }, timeouts: timeouts)
  }

  @Test func messageCarriesKeyCapabilityAndRequestID() async throws {
    let transport = AnsweringTransport(status: 202, #"{"turn_id":"t1","request_id":"r1","status":"accepted"}"#)
    let answer = try await client(transport)
      .sendMessage(MessageSendRequest(text: "hi", requestID: "r1"), session: session)
    #expect(answer.turnID == "t1")
    let asked = try #require(transport.asked.first)
    #expect(asked.request.method == .post)
    #expect(asked.request.path == "/agent/v1/sessions/s1/messages")
    #expect(asked.request.headerFields[.authorization] == "Bearer rk_1")
    let name = try #require(HTTPField.Name("x-resolvekit-chat-capability"))
    #expect(asked.request.headerFields[name] == "token")
    #expect(asked.request.headerFields[.contentType] == "application/json")
    #expect(asked.body == #"{"request_id":"r1","text":"hi"}"#)
  }

  @Test func toolResultCarriesItsIdempotencyKey() async throws {
    let transport = AnsweringTransport(status: 200, #"{"status":"ok","deduplicated":true}"#)
    let payload = ResolveKitToolResultPayload(
      turnID: "t1", idempotencyKey: "key-1", callID: "c1", status: .success, result: .string("done"))
    let answer = try await client(transport).postToolResult(payload, session: session)
    #expect(answer.deduplicated)
    let body = try JSONValue(parsing: try #require(transport.asked.first).body)
    #expect(body.objectValue?["idempotency_key"] == "key-1")
    #expect(body.objectValue?["turn_id"] == "t1")
  }

  @Test func functionsAreReplacedAsAWhole() async throws {
    let transport = AnsweringTransport(status: 200, "[]")
    try await client(transport).registerFunctions([ResolveKitDefinition(name: "f", description: "d")])
    let asked = try #require(transport.asked.first)
    #expect(asked.request.method == .put)
    #expect(asked.request.path == "/agent/v1/functions/bulk")
    #expect(!asked.body.contains("null"))
  }

  @Test func oldServerWithoutCompatibilityCheckIsTaken() async throws {
    let transport = AnsweringTransport(status: 404, #"{"detail":"Not Found"}"#)
    #expect(try await client(transport).compatibility() == nil)
  }

  @Test(arguments: [
    (401, #"{"detail":"Invalid client token"}"#, "Invalid client token"),
    (404, #"{"detail":"Session not found"}"#, "Session not found"),
    (409, #"{"detail":"A turn is already in progress"}"#, "A turn is already in progress"),
    (
      422, #"{"detail":[{"type":"missing","loc":["body","text"],"msg":"Field required"}]}"#, "body.text: Field required"
    ),
    (500, "Internal Server Error", "Internal Server Error"),
    (503, "", "503"),
  ])
  func errorsKeepTheServersWords(status: Int, body: String, words: String) async throws {
    let client = try client(AnsweringTransport(status: status, body))
    let error = await #expect(throws: ResolveKitAPIClientError.self) { try await client.history(session: session) }
    #expect(error?.statusCode == status)
    #expect(error?.description.contains(words) == true)
    #expect(error?.requestFailure.status == status)
  }

  @Test func unavailableChatAndUnknownMethodHaveCasesOfTheirOwn() async throws {
    let detail = #"{"detail":{"code":"chat_unavailable","message":"Chat is unavailable, try again later"}}"#
    let unavailable = try client(AnsweringTransport(status: 403, detail))
    await #expect(throws: ResolveKitAPIClientError.chatUnavailable(message: "Chat is unavailable, try again later")) {
      try await unavailable.history(session: session)
    }
    let unknown = try client(AnsweringTransport(status: 405, #"{"detail":"Method Not Allowed"}"#))
    await #expect(throws: ResolveKitAPIClientError.methodNotAllowed) { try await unknown.history(session: session) }
  }

  @Test(arguments: [nil, ""])
  func withoutAKeyNothingIsSent(key: String?) async throws {
    let transport = AnsweringTransport(status: 200, "{}")
    let client = try client(transport, key: key)
    await #expect(throws: ResolveKitAPIClientError.missingAPIKey) { try await client.compatibility() }
    #expect(transport.asked.isEmpty)
  }

  @Test func theProviderIsAskedOnceMoreAfterARefusal() async throws {
    let keys = Mutex(["fresh", "stale"])
    let transport = AnsweringTransport { asked, _ in
      let isFresh = asked.request.headerFields[.authorization] == "Bearer fresh"
      return (HTTPResponse(status: isFresh ? .ok : .unauthorized), ResponseBody(Array("[]".utf8)))
    }
    let client = ResolveKitAPIClient(
      baseURL: try #require(URL(string: "https://agent.test")), transport: transport,
      apiKeyProvider: { keys.withLock { $0.popLast() } })
    #expect(try await client.history(session: session).isEmpty)
    #expect(transport.asked.count == 2)
  }

  @Test func aRefusalWithAWaitIsAskedAboutOnceMoreToo() async throws {
    let transport = AnsweringTransport { _, _ in
      (HTTPResponse(status: .unauthorized, headerFields: [.retryAfter: "1"]), ResponseBody([]))
    }
    let client = try client(transport)
    await #expect(throws: ResolveKitAPIClientError.self) { try await client.history(session: session) }
    #expect(transport.asked.count == 2)
  }

  @Test func aSecondRefusalIsFinal() async throws {
    let transport = AnsweringTransport(status: 401, #"{"detail":"Invalid client token"}"#)
    let client = try client(transport)
    await #expect(throws: ResolveKitAPIClientError.serverError(statusCode: 401, message: "Invalid client token")) {
      try await client.history(session: session)
    }
    #expect(transport.asked.count == 2)
  }

  @Test(
    arguments: [
      ("7", 7), ("0", 0), ("99999999", 3600), ("-1", nil), ("soon", nil), ("Sat, 21 Nov 2026 20:00:07 GMT", 7),
      ("Sat, 28 Nov 2026 20:00:00 GMT", 3600), ("Sat, 21 Nov 2026 19:00:00 GMT", 0),
    ] as [(String, Int?)])
  func retryAfterIsReported(field: String, seconds: Int?) async throws {
    let transport = AnsweringTransport { _, _ in
      let head = HTTPResponse(
        status: .tooManyRequests, headerFields: [.retryAfter: field, .date: "Sat, 21 Nov 2026 20:00:00 GMT"])
      return (head, ResponseBody(Array(#"{"detail":"Slow down."}"#.utf8)))
    }
    let client = try client(transport)
    let error = await #expect(throws: ResolveKitAPIClientError.self) { try await client.history(session: session) }
    #expect(error?.statusCode == 429)
    #expect(error?.requestFailure.retryAfterSeconds == seconds)
    #expect(error?.requestFailure.kind == .transient)
  }

  @Test func aThemeWithoutAllColoursIsRefused() async throws {
    let good = ResolveKitChatTheme.default
    let text = String(decoding: try ResolveKitJSON.encode(good), as: UTF8.self)
    #expect(try await client(AnsweringTransport(status: 200, text)).chatTheme() == good)
    let bad = try client(AnsweringTransport(status: 200, text.replacing("#FAFAFA", with: "white")))
    await #expect(throws: ResolveKitAPIClientError.self) { try await bad.chatTheme() }
  }

  @Test func localizationAndFeedbackAreOfTheSession() async throws {
    let words = #"{"locale":"de","chat_title":"T","message_placeholder":"P","initial_message":null}"#
    let transport = AnsweringTransport(status: 200, words)
    let client = try client(transport)
    #expect(
      try await client.localization("de", session: session)
        == ResolveKitChatLocalization(locale: "de", chatTitle: "T", messagePlaceholder: "P"))
    try await client.submitFeedback(ResolveKitFeedbackRequest(rating: 4), session: session)
    #expect(
      transport.asked.map { $0.request.path } == [
        "/agent/v1/sessions/s1/localization?locale=de", "/agent/v1/sessions/s1/feedback",
      ])
    #expect(transport.asked.last?.body == #"{"rating":4}"#)
  }

  @Test func aClientTokenIsRead() async throws {
    let transport = AnsweringTransport(status: 200, #"{"token":"t","expires_at":"2026-11-21T00:00:00Z"}"#)
    let token = try await client(transport).clientToken()
    #expect(token == ResolveKitClientToken(token: "t", expiresAt: "2026-11-21T00:00:00Z"))
    #expect(transport.asked.first?.request.path == "/agent/v1/sdk/client-token")
  }

  @Test(arguments: ["", "not json", "[]", #"{"turn_id":7}"#])
  func uselessAnswerIsAnInvalidResponse(body: String) async throws {
    let client = try client(AnsweringTransport(status: 202, body))
    let error = await #expect(throws: ResolveKitAPIClientError.self) {
      try await client.sendMessage(MessageSendRequest(text: "hi", requestID: "r"), session: session)
    }
    guard case .invalidResponse? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func answerBeyondTheLimitIsRefused() async throws {
    let client = try client(
      AnsweringTransport(status: 202, #"{"turn_id":""# + String(repeating: "x", count: 2 << 20) + #""}"#))
    let error = await #expect(throws: TransportError.self) {
      try await client.sendMessage(MessageSendRequest(text: "hi", requestID: "r"), session: session)
    }
    #expect(error?.code == .limitExceeded)
  }

  @Test func silentServerIsGivenUpInTime() async throws {
    let transport = AnsweringTransport { _, _ in
      let (never, continuation) = AsyncStream.makeStream(of: Void.self)
      for await _ in never {}
      _ = continuation
      throw CancellationError()
    }
    let timeout = Duration.milliseconds(20)
    let client = try client(transport, timeouts: ResolveKitAPITimeouts(setUp: timeout, call: timeout, bulk: timeout))
    await #expect(throws: ResolveKitAPIClientError.timedOut(after: timeout)) {
      try await client.history(session: session)
    }
  }
}
