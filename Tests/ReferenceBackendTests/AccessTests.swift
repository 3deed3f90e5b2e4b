import HTTPTypes
import Logging
import ReferenceBackend
import ResolveKitCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AccessTests {
  private func detail(_ json: JSONValue) -> JSONValue? { json.objectValue?["detail"] }

  @Test func aKeyIsAskedForEverywhereButForHealth() async throws {
    let harness = try await Harness()
    #expect(try await harness.call(.get, "/health", key: nil).json == ["status": "ok"])
    let id = "00000000-0000-4000-8000-000000000000"
    let routes: [(HTTPRequest.Method, String, String?)] = [
      (.get, "/v1/sdk/compat", nil), (.get, "/v1/functions", nil), (.put, "/v1/functions/bulk", "{}"),
      (.post, "/v1/sessions", "{}"),
      (.get, "/v1/functions/eligible?session_id=\(id)", nil), (.patch, "/v1/sessions/\(id)/context", "{}"),
      (.get, "/v1/sessions/\(id)/messages", nil), (.post, "/v1/sessions/\(id)/messages", "{}"),
      (.post, "/v1/sessions/\(id)/tool-results", "{}"), (.get, "/v1/sessions/\(id)/events", nil),
      (.post, "/v1/sessions/\(id)/turns/\(id)/cancel", nil), (.get, "/v1/sdk/chat-theme", nil),
      (.get, "/v1/sessions/\(id)/localization", nil), (.post, "/v1/sessions/\(id)/feedback", "{}"),
    ]
    for (method, path, body) in routes {
      let missing = try await harness.call(method, path, body, key: nil)
      #expect(missing.status == 401, "\(method) \(path)")
      #expect(detail(missing.json) == "Missing Authorization token")
      let wrong = try await harness.call(method, path, body, key: "rk_tesT")
      #expect(wrong.status == 401, "\(method) \(path)")
      #expect(detail(wrong.json) == "Invalid client token")
    }
  }

  @Test func theSchemeIsBearerAsWritten() async throws {
    let harness = try await Harness()
    let headers: HTTPFields = [.authorization: "bearer \(Harness.key)"]
    let answer = try await harness.call(.get, "/v1/functions", key: nil, headers: headers)
    #expect(detail(answer.json) == "Missing Authorization token")
  }

  @Test func brokenJSONComesBeforeTheKeyAndTheKeyBeforeTheRest() async throws {
    let harness = try await Harness()
    let broken = try await harness.call(.post, "/v1/sessions", "{", key: nil)
    #expect(broken.status == 422)
    #expect(detail(broken.json)?.arrayValue?.first?.objectValue?["type"] == "json_invalid")
    // A bad path and a bad body, but no key: 401. With the key: 422. With a good form: 403.
    #expect(try await harness.call(.post, "/v1/sessions/x/messages", "{}", key: nil).status == 401)
    let bad = try await harness.call(.post, "/v1/sessions/x/messages", "{}")
    #expect(bad.status == 422)
    let types = detail(bad.json)?.arrayValue?.compactMap { $0.objectValue?["type"]?.stringValue }
    #expect(types == ["uuid_parsing", "missing", "missing"])
    let good = #"{"text":"x","request_id":"r"}"#
    let forbidden = try await harness.call(
      .post, "/v1/sessions/00000000-0000-4000-8000-000000000000/messages", good)
    #expect(forbidden.status == 403)
    #expect(detail(forbidden.json)?.objectValue?["code"] == "chat_unavailable")
  }

  /// A body is held until it has come, so that who has no key may not send much.
  @Test func aLargeBodyWithoutAKeyIsNotRead() async throws {
    let harness = try await Harness()
    let broken = "{" + String(repeating: " ", count: 16 << 10)
    #expect(try await harness.call(.post, "/v1/sessions", broken, key: nil).status == 401)
    #expect(try await harness.call(.post, "/v1/sessions", broken, key: "rk_tesT").status == 401)
    #expect(try await harness.call(.post, "/v1/sessions", broken).status == 422)
    let large = "{" + String(repeating: " ", count: 2 << 20)
    #expect(try await harness.call(.post, "/v1/sessions", large).status == 413)
  }

  @Test func aTokenIsForOneSessionAndForItsTime() async throws {
    let harness = try await Harness(settings: BackendSettings(sessionLifetime: .seconds(60)))
    let one = try await harness.openSession()
    let other = try await harness.openSession()
    #expect(try await harness.call(.get, one.path("messages"), token: one.token).status == 200)
    #expect(try await harness.call(.get, one.path("messages"), token: other.token).status == 403)
    var forged = Array(one.token)
    forged[forged.count - 5] = forged[forged.count - 5] == "A" ? "B" : "A"
    for token in ["", "x", "a.b.c", String(forged), String(one.token.dropLast()), "." + one.token] {
      #expect(try await harness.call(.get, one.path("messages"), token: token).status == 403)
    }
    harness.time.advance(by: .seconds(59))
    #expect(try await harness.call(.get, one.path("messages"), token: one.token).status == 200)
    harness.time.advance(by: .seconds(1))
    #expect(try await harness.call(.get, one.path("messages"), token: one.token).status == 403)
  }

  @Test func unknownPathsAndMethodsHaveTheContractsBodies() async throws {
    let harness = try await Harness()
    let unknown = try await harness.call(.get, "/v1/nothing")
    #expect(unknown.status == 404)
    #expect(detail(unknown.json) == "Not Found")
    let method = try await harness.call(.delete, "/v1/sessions")
    #expect(method.status == 405)
    #expect(method.headers[.allow] == "POST")
    #expect(detail(method.json) == "Method Not Allowed")
  }

  @Test func aBackendWithoutKeysDoesNotStart() async throws {
    let error = await #expect(throws: BackendError.self) {
      _ = try await BackendCore(
        storage: BackendDatabase(path: nil).storage(), apiKeys: [""], model: DemoModel(), settings: BackendSettings(),
        clock: SteppedClock(), logger: .init(label: "test"))
    }
    #expect(error?.code == .configuration)
  }

  /// Broken JSON is reported first, but not to a client that asks whether to send it (RFC 9110 § 10.1.1).
  @Test func whoAsksFirstIsRefusedBeforeTheBody() async throws {
    let harness = try await Harness()
    for path in ["/v1/sessions", "/internal/sessions/00000000-0000-4000-8000-000000000000/human-message"] {
      #expect(try await harness.call(.post, path, "{", key: nil).status == 422)
      #expect(try await harness.call(.post, path, "{", key: nil, headers: [.expect: "100-continue"]).status == 401)
    }
  }
}
