import EventLedger
import HTTPTypes
import Hummingbird
import ReferenceBackend
import ResolveKitCore
import Synchronization
import Testing

/// Every route under requests that break its rules: each answer is the contract's, and the next good request works.
@Suite(.timeLimit(.minutes(10)))
struct HostileRequestTests {
  private static let id = "00000000-0000-4000-8000-000000000000"

  private func routes(_ session: String) -> [(HTTPRequest.Method, String)] {
    [
      (.put, "/v1/functions/bulk"), (.post, "/v1/sessions"), (.patch, "/v1/sessions/\(session)/context"),
      (.post, "/v1/sessions/\(session)/feedback"), (.post, "/v1/sessions/\(session)/messages"),
      (.post, "/v1/sessions/\(session)/tool-results"), (.post, "/internal/sessions/\(session)/human-message"),
    ]
  }

  private func key(_ path: String) -> String { path.hasPrefix("/internal") ? Harness.operatorKey : Harness.key }

  private static let bodies: [(String, Int)] = [
    ("", 422), ("null", 422), ("[]", 422), ("7", 422), ("\"x\"", 422), ("{", 422), ("{}x", 422), ("{'a':1}", 422),
    (#"{"a":1e999}"#, 422), (#"{"a":01}"#, 422), ("{\"a\":\"\n\"}", 422), (#"{"a":"\uD83"}"#, 422),
    (String(repeating: "[", count: 100_000), 422), (#"{"a":"# + String(repeating: "[", count: 1_000), 422),
    (#"{"x":""# + String(repeating: "x", count: 3 << 20) + #""}"#, 413),
  ]

  @Test func brokenBodiesAreRefused() async throws {
    let session = try await Harness().openSession()
    for (method, path) in routes(session.id) {
      for (body, status) in Self.bodies {
        let answer = try await session.harness.call(method, path, body, key: key(path), token: session.token)
        #expect(answer.status == status, "\(method) \(path) \(body.prefix(20))")
        #expect(answer.json.objectValue?["detail"] != nil)
        #expect(answer.headers[.contentType] == "application/json")
      }
    }
    #expect(try await session.post("hello", requestID: "r").status == 202)
  }

  /// Each member in turn is of each wrong type; the rest of the body is right.
  @Test func wrongTypesAreRefused() async throws {
    let harness = try await Harness()
    let session = try await harness.openSession()
    let good: [(HTTPRequest.Method, String, JSONObject, optional: Set<String>)] = [
      (
        .post, "/v1/sessions",
        [
          "available_function_names": [], "device_id": "d", "client": ["platform": "x"], "llm_context": [:],
          "locale": "en", "preferred_locales": [], "reuse_active_session": true,
        ], ["device_id", "client", "locale"]
      ),
      (
        .patch, session.path("context"),
        ["available_function_names": [], "client": [:], "llm_context": [:], "locale": "en"],
        ["client", "llm_context", "locale"]
      ),
      (.post, session.path("messages"), ["text": "x", "request_id": "r", "locale": "en"], ["locale"]),
      (
        .post, session.path("tool-results"),
        ["turn_id": "t", "idempotency_key": "k", "call_id": "c", "status": "success", "error": "e"], ["error"]
      ),
      (.post, session.path("feedback"), ["rating": 5, "comment": "c"], ["comment"]),
    ]
    for (method, path, body, optional) in good {
      for name in body.keys {
        for wrong in [nil, true, -1, 1.5, [1], ["a": 1], "\u{0}"] as [JSONValue] {
          if wrong.hasTypeOf(body[name]) { continue }
          if wrong.isNull, optional.contains(name) { continue }
          if name == "error", wrong == "\u{0}" { continue }
          var changed = body
          changed[name] = wrong
          let answer = try await harness.call(method, path, JSONValue.object(changed).jsonText, token: session.token)
          #expect(answer.status == 422, "\(path) \(name) \(wrong)")
          let places = answer.json.objectValue?["detail"]?.arrayValue?.compactMap { $0.objectValue?["loc"]?.arrayValue }
          #expect(places?.contains { $0.contains(.string(name)) } == true, "\(path) \(name) \(wrong)")
        }
      }
    }
  }

  @Test func wrongIDsAreRefused() async throws {
    let session = try await Harness().openSession()
    for id in ["x", "..", "%00", "%2e%2e", "0", String(repeating: "a", count: 5_000), session.id + "0", "%FF"] {
      for rest in ["messages", "events", "localization", "turns/\(Self.id)/cancel"] {
        let method: HTTPRequest.Method = rest.hasSuffix("cancel") ? .post : .get
        let answer = try await session.harness.call(method, "/v1/sessions/\(id)/\(rest)", token: session.token)
        #expect(answer.status == 422 || answer.status == 404, "\(id.prefix(20)) \(rest): \(answer.status)")
        #expect(answer.json.objectValue?["detail"] != nil)
      }
    }
    // Another's token, another's session: as if it were not there.
    let other = try await session.harness.openSession()
    #expect(try await session.harness.call(.get, other.path("messages"), token: session.token).status == 403)
    #expect(try await session.harness.call(.get, "/v1/sessions/\(Self.id)/events", token: session.token).status == 403)
  }

  @Test(arguments: [HTTPRequest.Method.head, .options, .trace, .delete, .patch])
  func otherMethodsAreRefused(_ method: HTTPRequest.Method) async throws {
    let answer = try await Harness().call(method, "/v1/sessions", "{}")
    #expect(answer.status == 405)
    #expect(answer.headers[.allow] == "POST")
  }

  @Test func aNULIsNotStored() async throws {
    let harness = try await Harness(model: ScriptedModel(words: ["a\u{0}b", "\u{0}", "c"]))
    let session = try await harness.openSession()
    #expect(try await session.post("x", requestID: "r\u{0}1").status == 422)
    #expect(try await session.post("x\u{0}y", requestID: "r").status == 422)
    // Two ids that differ behind a NUL would have been one.
    try await session.say("x", requestID: "r")
    let events = try await session.eventsOfTurn()
    #expect(events.text == "a\u{FFFD}b\u{FFFD}c")
    #expect(events.last?.payload["full_text"]?.stringValue == events.text)
    #expect(try await session.eventsOfTurn() == events)
    #expect(try await session.history().last?.content == events.text)
  }

  @Test func whatAModelCostsIsAskedWithoutAKey() async throws {
    let harness = try await Harness()
    for (query, provider, model) in [
      ("provider=OpenAI&model=gpt-x", "openai", "gpt-x"), ("provider=google&model=gemini/pro", "gemini", "pro"),
      ("provider=google&model=google/pro", "gemini", "pro"), ("provider=a&model=b/c", "a", "b/c"),
      ("provider=openrouter&model=openrouter/c", "openrouter", "openrouter/c"), ("provider=%20a%20&model=%20", "a", ""),
    ] {
      let answer = try await harness.call(.get, "/v1/pricing/model?\(query)", key: nil)
      #expect(answer.status == 200, "\(query)")
      #expect(answer.json == ["provider": .string(provider), "model": .string(model), "pricing": nil], "\(query)")
    }
    let long = String(repeating: "m", count: 201)
    for query in ["", "?provider=a", "?model=a", "?provider=&model=a", "?provider=a&model=\(long)"] {
      #expect(try await harness.call(.get, "/v1/pricing/model\(query)", key: nil).status == 422, "\(query)")
    }
  }

  /// Longer than one read of the database, and still one array in order.
  @Test func aLongHistoryIsWhole() async throws {
    let harness = try await Harness()
    let session = try await harness.openSession()
    for number in 1..<200 {
      _ = try await harness.call(
        .post, "/internal/sessions/\(session.id)/human-message", #"{"text":"\#(number)"}"#, key: Harness.operatorKey)
    }
    #expect(try await session.history().map(\.content).dropFirst() == (1..<200).map { "\($0)" }[...])
    let messages = try await harness.call(.get, session.path("messages"), token: session.token).json.arrayValue ?? []
    #expect(messages.compactMap { $0.objectValue?["sequence_number"]?.integerValue } == Array(1...200))
  }

  /// What is read and made at once is little, however long the messages are.
  @Test func aHistoryOfLongMessagesIsSentInSmallPieces() async throws {
    let harness = try await Harness()
    let session = try await harness.openSession()
    let sessions = SessionStore(try harness.database.storage().rows)
    let lengths = [30_000, 30_000, 30_000, 200_000, 1, 2, 60_000, 10_000]
    for length in lengths {
      _ = try await sessions.addHumanMessage(
        String(repeating: "x", count: length), to: session.id, now: harness.time.now)
    }
    let response = try await harness.respond(.get, session.path("messages"), token: session.token)
    let pieces = Mutex<[Int]>([])
    try await response.body.write(ClosureBodyWriter { bytes in pieces.withLock { $0.append(bytes.count) } })
    // The session's greeting is its first message; names and ids are some hundred bytes a message.
    #expect(pieces.withLock { $0.map { $0 / 10_000 } } == [6, 3, 20, 6, 1])
    #expect(try await session.history().map(\.content.utf8.count).dropFirst() == lengths[...])
  }
}

extension JSONValue {
  fileprivate func hasTypeOf(_ other: JSONValue?) -> Bool {
    switch (self, other) {
    // A NUL is what is wrong with it.
    case (.string, .string): false
    case (.number(let number), .number): number == 5
    case (.bool, .bool), (.object, .object), (.array, .array), (.null, .null): true
    default: false
    }
  }
}
