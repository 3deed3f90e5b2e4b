import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SDKRouteTests {
  @Test func theThemeHasTheContractsColours() async throws {
    let harness = try await Harness()
    let answer = try await harness.call(.get, "/v1/sdk/chat-theme")
    #expect(answer.status == 200)
    let theme = try ResolveKitJSON.decode(ResolveKitChatTheme.self, from: answer.json.serialized())
    #expect(theme == .default)
    #expect(answer.json.objectValue?["dark"]?.objectValue?.count == 17)
  }

  @Test func aClientTokenStandsInTheKeysPlaceForItsTime() async throws {
    let harness = try await Harness()
    let answer = try await harness.call(.post, "/v1/sdk/client-token")
    #expect(answer.status == 200)
    #expect(answer.headers[.cacheControl] == "no-store")
    #expect(answer.headers[.vary] == "Origin")
    let token = try #require(answer.json.objectValue?["token"]?.stringValue)
    #expect(answer.json.objectValue?["expires_at"]?.stringValue?.hasSuffix("Z") == true)
    #expect(try await harness.call(.get, "/v1/functions", key: token).status == 200)
    // No right to more tokens, nor to a session.
    #expect(try await harness.call(.post, "/v1/sdk/client-token", key: token).status == 401)
    let session = try await harness.openSession()
    #expect(try await harness.call(.get, session.path("messages"), token: token).status == 403)
    #expect(try await harness.call(.get, "/v1/functions", key: session.token).status == 401)
    harness.time.advance(by: .seconds(901))
    #expect(try await harness.call(.get, "/v1/functions", key: token).status == 401)
  }

  @Test func aWrongKeyIsCalledByItsName() async throws {
    let answer = try await Harness().call(.post, "/v1/sdk/client-token", key: "rk_wrong")
    #expect(answer.status == 401)
    #expect(answer.json.objectValue?["detail"] == "Invalid API key")
  }

  @Test func pagesOfOtherOriginsGetNoToken() async throws {
    let harness = try await Harness(settings: BackendSettings(allowedOrigins: ["https://app.example"]))
    for (origin, status) in [
      ("https://app.example", 200), ("https://localhost", 200), ("https://evil.example", 403), ("null", 403),
    ] {
      let answer = try await harness.call(.post, "/v1/sdk/client-token", headers: [.origin: origin])
      #expect(answer.status == status, "\(origin)")
    }
  }

  @Test func tokensAreGivenSixtyTimesAMinute() async throws {
    let harness = try await Harness()
    for _ in 0..<60 { #expect(try await harness.call(.post, "/v1/sdk/client-token").status == 200) }
    let refused = try await harness.call(.post, "/v1/sdk/client-token")
    #expect(refused.status == 429)
    #expect(refused.headers[.retryAfter] == "60")
    harness.time.advance(by: .seconds(60))
    #expect(try await harness.call(.post, "/v1/sdk/client-token").status == 200)
  }

  @Test func aSessionSpeaksTheLocaleThatItsWordsWereAskedIn() async throws {
    let session = try await Harness().openSession()
    let harness = session.harness
    for (wish, locale, title) in [
      ("?locale=de-AT", "de", "Support-Chat"), ("", "de", "Support-Chat"), ("?locale=xx", "en", "Support Chat"),
      ("?locale=zh-Hant", "zh-tw", "客服聊天"), ("?locale=sw", "sw", "Support Chat"),
    ] {
      let answer = try await harness.call(.get, session.path("localization\(wish)"), token: session.token)
      #expect(answer.status == 200)
      #expect(answer.json.objectValue?["locale"]?.stringValue == locale, "\(wish)")
      #expect(answer.json.objectValue?["chat_title"]?.stringValue == title, "\(wish)")
    }
    #expect(try await harness.call(.get, session.path("localization")).status == 403)
    let long = session.path("localization?locale=\(String(repeating: "x", count: 33))")
    #expect(try await harness.call(.get, long, token: session.token).status == 422)
  }

  @Test func aNewSessionGreetsInItsLocale() async throws {
    let harness = try await Harness()
    let body = #"{"available_function_names":[],"preferred_locales":["xx","lt-LT"]}"#
    let json = try #require(try await harness.call(.post, "/v1/sessions", body).json.objectValue)
    #expect(json["locale"] == "lt")
    #expect(json["chat_title"] == "Pagalbos pokalbis")
    let session = TestSession(
      harness: harness, id: try #require(json["id"]?.stringValue),
      token: try #require(json["chat_capability_token"]?.stringValue), isReused: false)
    #expect(try await session.history().map(\.content) == [json["initial_message"]?.stringValue ?? ""])
  }

  @Test func feedbackIsGivenOnce() async throws {
    let session = try await Harness().openSession()
    let harness = session.harness
    for body in [#"{}"#, #"{"rating":0}"#, #"{"rating":6}"#, #"{"rating":"5"}"#, #"{"rating":5,"stars":5}"#] {
      let answer = try await harness.call(.post, session.path("feedback"), body, token: session.token)
      #expect(answer.status == 422, "\(body)")
    }
    let first = try await harness.call(
      .post, session.path("feedback"), #"{"rating":5,"comment":null}"#, token: session.token)
    #expect(first.status == 201)
    let json = try #require(first.json.objectValue)
    #expect(json.keys.sorted() == ["comment", "created_at", "id", "rating", "session_id"])
    let second = try await harness.call(.post, session.path("feedback"), #"{"rating":1}"#, token: session.token)
    #expect(second.status == 409)
    #expect(second.json.objectValue?["detail"] == "Feedback already submitted for this session")
  }
}
