import EventLedger
import HTTPTypes
import ResolveKitCore
import TestSupport
import Testing

@testable import WorkerRuntime

/// The limits of what callers may send, at the limit and one beyond it.
@Suite(.timeLimit(.minutes(5)))
struct InputLimitTests {
  /// A field that may be so long.
  struct Field: Sendable, CustomTestStringConvertible {
    let name: String
    let limit: Int
    let path: String
    /// The body, with `#` in the place of the field.
    let body: String
    /// The status beyond the limit.
    var refusal = 422

    var testDescription: String { name }
  }

  static let fields = [
    Field(name: "worker_id", limit: 160, path: "", body: ##"{"worker_id":"#"}"##),
    Field(name: "workspace_ref", limit: 255, path: "", body: ##"{"workspace_ref":"#"}"##),
    Field(name: "codex_home_ref", limit: 255, path: "", body: ##"{"codex_home_ref":"#"}"##),
    Field(name: "adapter", limit: 120, path: "", body: ##"{"adapter":"#"}"##),
    Field(
      name: "metadata", limit: (64 << 10) - 8, path: "", body: ##"{"metadata":{"a":"#"}}"##, refusal: 400),
    Field(
      name: "event_type", limit: 113, path: "w-echo/events", body: ##"{"event":{"event_type":"worker.#"}}"##,
      refusal: 400),
    Field(name: "reason", limit: 255, path: "w-stopped/stop", body: ##"{"reason":"#"}"##),
    Field(
      name: "request_id", limit: 160, path: "w-echo/requests",
      body: ##"{"request":{"request_id":"#","method":"thread/list"}}"##),
    Field(
      name: "request_version", limit: 32, path: "w-echo/requests",
      body: ##"{"request":{"request_id":"v","method":"thread/list","request_version":"#"}}"##),
    Field(
      name: "source", limit: 120, path: "w-echo/requests",
      body: ##"{"request":{"request_id":"s","method":"thread/list","source":"#"}}"##),
    Field(
      name: "session_id", limit: 160, path: "w-echo/requests",
      body: ##"{"request":{"request_id":"i","method":"thread/list","session_id":"#"}}"##),
    Field(
      name: "thread_id", limit: 160, path: "w-echo/requests",
      body: ##"{"request":{"request_id":"t","method":"thread/list","thread_id":"#"}}"##),
  ]

  @Test(arguments: fields)
  func aFieldIsTakenUpToItsLimit(_ field: Field) async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    try await runtime.makeWorker("w-echo", token: token, adapter: "in_memory", heartbeat: false)
    try await runtime.makeWorker("w-stopped", token: token, adapter: "in_memory", heartbeat: false)
    func status(_ length: Int) async throws -> Int {
      let body = field.body.replacing("#", with: String(repeating: "x", count: length))
      return try await runtime.call(.post, field.path, body, token: token).status
    }
    #expect((200...202).contains(try await status(field.limit)))
    #expect(try await status(field.limit + 1) == field.refusal)
  }

  @Test(arguments: ["", "w-echo/events", "w-echo/requests", "w-echo/stop"])
  func aBodyOfMoreThanAMebibyteIsRefusedUnread(_ path: String) async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    try await runtime.makeWorker("w-echo", token: token, adapter: "in_memory", heartbeat: false)
    func status(_ bytes: Int) async throws -> Int {
      // Spaces, so that it is well-formed: only its length is wrong.
      try await runtime.call(.post, path, "{}" + String(repeating: " ", count: bytes - 2), token: token).status
    }
    #expect(try await status(JSONRequestBody.limit) != 413)
    #expect(try await status(JSONRequestBody.limit + 1) == 413)
  }

  @Test(arguments: [
    "{", "nope", "5", #""text""#, #"[1]"#, #"{"a":}"#, String(repeating: "[", count: 100_000),
    #"{"metadata":"# + String(repeating: #"{"a":"#, count: 100_000),
  ])
  func aBodyThatIsNoObjectIsRefused(_ body: String) async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    #expect(try await runtime.call(.post, "", body, token: token).status == 400)
  }

  @Test func bytesThatAreNoTextAreRefused() {
    #expect(throws: APIFault.self) { try JSONRequestBody([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]) }
  }

  @Test(arguments: ["ab", "a b", "a/b", "ä-worker", "a\u{0}bc", "w?x", "w#x"])
  func anIDOfOtherCharactersIsRefused(_ id: String) async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let body = JSONValue.object(["worker_id": .string(id)]).jsonText
    #expect(try await runtime.call(.post, "", body, token: token).status == 400)
  }

  @Test(arguments: [
    "?status=happy", "?limit=0", "?limit=201", "?limit=-1", "?limit=1e3", "?limit=99999999999999999999",
    "?workspace_ref=" + String(repeating: "x", count: 256),
  ])
  func aBadFilterIsRefused(_ query: String) async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    #expect(try await runtime.call(.get, query, token: token).status == 422)
  }

  @Test(arguments: [
    ("x", 202), (String(repeating: "k", count: 200), 202), (String(repeating: "k", count: 201), 400), ("a b", 400),
  ])
  func anIdempotencyKeyIsShortAndVisible(_ key: String, _ status: Int) async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token)
    let answer = try await runtime.post(
      "worker.event", "{}", to: id, token: token, headers: .one("idempotency-key", key))
    #expect(answer.status == status)
  }

  @Test func oneMoreThanTheRequestsThatMayWaitIsOverload() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token)
    let now = runtime.time.now
    let waiting = (0..<RequestBook.openLimit).map { number in
      WorkerRequest(id: "r-\(number)", method: "thread/list", params: Array("{}".utf8)).draft(
        at: now, timeout: .seconds(30))
    }
    let worker = runtime.core.services.registry.directory[try #require(WorkerID(id))]
    _ = try await worker.change { _ in Array(waiting.dropLast()) }
    func ask(_ id: String) async throws -> JSONValue {
      try await runtime.call(
        .post, "desktopw:host:shared/requests", #"{"request":{"request_id":"\#(id)","method":"thread/list"}}"#,
        token: token
      ).json.at("data")
    }
    // The last place.
    let last = Task { try await ask("last") }
    try await until { try await worker.state().requests.isFull }
    let refused = try await ask("one-more")
    #expect(refused.at("ok") == false)
    #expect(refused.at("response", "code") == "worker_unavailable")
    #expect(refused.at("response", "message") == "Server overloaded; retry later.")
    // A repetition of one that waits takes no place.
    let again = Task { try await ask("last") }
    try await runtime.post(
      "worker.response", #"{"request_id":"last","method":"thread/list","ok":true,"response":{}}"#, to: id, token: token)
    #expect(try await last.value.at("ok") == true)
    #expect(try await again.value.at("ok") == true)
  }

  @Test func aUserHasSoManyWorkersAndTokens() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let user = try #require(try await runtime.core.accounts.book().allUsers.first)
    let index = SharedStream<WorkerIndex>(StreamNames.index(of: user.id), runtime.core.services.storage)
    let drafts = (1..<WorkerIndex.limit).compactMap { WorkerID("w-\($0)") }.map(WorkerIndex.draft)
    _ = try await index.change { _ in drafts }
    #expect(try await runtime.call(.post, "", #"{"worker_id":"the-last"}"#, token: token).status == 202)
    #expect(try await runtime.call(.post, "", #"{"worker_id":"too-many"}"#, token: token).status == 409)
    #expect(try await runtime.call(.post, "", #"{"worker_id":"the-last"}"#, token: token).status == 200)
    runtime.time.advance(by: .seconds(1))
    for _ in 0..<AccountBook.tokenLimit { _ = try await runtime.token() }
    #expect(try await runtime.core.accounts.book().tokens(of: user.id).count == AccountBook.tokenLimit)
    // The oldest one has ended.
    #expect(try await runtime.call(.get, "", token: token).status == 401)
  }
}
