import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SessionTests {
  @Test func aNewSessionHasTheContractsMembers() async throws {
    let harness = try await Harness()
    let body = """
      {"available_function_names":["b","a"],"device_id":"d","locale":"de_AT","client":{"platform":"linux"},
      "llm_context":{"n":1}}
      """
    let answer = try await harness.call(.post, "/v1/sessions", body)
    #expect(answer.status == 201)
    let json = try #require(answer.json.objectValue)
    let names = [
      "app_id", "available_function_names", "chat_capability_token", "chat_title", "client_context", "created_at",
      "device_id", "events_url", "id", "initial_message", "last_activity_at", "llm_context", "locale",
      "message_placeholder", "reused_active_session", "status",
    ]
    #expect(json.keys.sorted() == names)
    let id = try #require(json["id"]?.stringValue)
    #expect(json["events_url"]?.stringValue == "/v1/sessions/\(id)/events")
    #expect(json["available_function_names"] == ["b", "a"])
    #expect(json["locale"] == "de")
    #expect(json["status"] == "active")
  }

  @Test func aDeviceGetsItsActiveSessionBack() async throws {
    let harness = try await Harness(settings: BackendSettings(sessionLifetime: .seconds(60)))
    let first = try await harness.openSession(tools: ["a"], device: "d")
    let again = try await harness.openSession(tools: ["b"], device: "d")
    #expect(again.id == first.id && again.isReused)
    let stranger = try await harness.openSession(device: "e")
    #expect(stranger.id != first.id)
    let nameless = try await harness.openSession()
    #expect(!nameless.isReused)
    harness.time.advance(by: .seconds(61))
    let late = try await harness.openSession(device: "d")
    #expect(late.id != first.id)
  }

  @Test(arguments: [
    (#"{}"#, "missing"), (#"{"available_function_names":"x"}"#, "list_type"),
    (#"{"available_function_names":[],"x":1}"#, "extra_forbidden"),
    (#"{"available_function_names":[""]}"#, "string_too_short"),
    (#"{"available_function_names":[],"llm_context":null}"#, "dict_type"),
    (#"{"available_function_names":[],"client":{"x":"y"}}"#, "extra_forbidden"),
    (#"{"available_function_names":[],"reuse_active_session":"yes"}"#, "bool_type"),
    (#"[]"#, "model_attributes_type"), ("", "missing"),
  ])
  func bodiesThatBreakTheContractAreRefused(_ body: String, _ type: String) async throws {
    let answer = try await Harness().call(.post, "/v1/sessions", body)
    #expect(answer.status == 422)
    let issue = answer.json.objectValue?["detail"]?.arrayValue?.first?.objectValue
    #expect(issue?["type"]?.stringValue == type)
    #expect(issue?["loc"]?.arrayValue?.first == "body")
  }

  @Test func theContextCanBeChanged() async throws {
    let harness = try await Harness()
    let session = try await harness.openSession(tools: ["a"])
    let answer = try await harness.call(
      .patch, session.path("context"), #"{"available_function_names":["b"],"locale":"fr-CA","client":null}"#,
      token: session.token)
    #expect(answer.status == 200)
    #expect(answer.json.objectValue?["available_function_names"] == ["b"])
    #expect(answer.json.objectValue?["locale"] == "fr")
  }

  @Test func registeringReplacesTheWholeSet() async throws {
    let harness = try await Harness()
    try await harness.register([["name": "a"], ["name": "b", "requires_approval": false, "timeout_seconds": 7]])
    let before = try await harness.call(.get, "/v1/functions").json.arrayValue ?? []
    try await harness.register([["name": "b", "description": "new"]])
    let after = try await harness.call(.get, "/v1/functions").json.arrayValue ?? []
    #expect(before.compactMap { $0.objectValue?["name"]?.stringValue } == ["a", "b"])
    #expect(after.compactMap { $0.objectValue?["name"]?.stringValue } == ["b"])
    #expect(after.first?.objectValue?["id"] == before.last?.objectValue?["id"])
    #expect(after.first?.objectValue?["timeout_seconds"] == 30)
    let refused = try await harness.call(
      .put, "/v1/functions/bulk", #"{"functions":[{"name":"a","timeout_seconds":301},{"name":""}]}"#)
    #expect(refused.status == 422)
    let locations = refused.json.objectValue?["detail"]?.arrayValue?.compactMap { $0.objectValue?["loc"] }
    #expect(locations == [["body", "functions", 0, "timeout_seconds"], ["body", "functions", 1, "name"]])
  }

  @Test func onlyWhatFitsTheClientIsEligible() async throws {
    let harness = try await Harness()
    try await harness.register([
      ["name": "everywhere"], ["name": "phones", "availability": ["platforms": ["ios"]]],
      ["name": "linux", "availability": ["platforms": ["linux"], "min_os_version": "6.1", "max_os_version": "6.9"]],
      ["name": "future", "availability": ["min_app_version": "2"]], ["name": "not_allowed"],
    ])
    let body = """
      {"available_function_names":["everywhere","phones","linux","future"],
      "client":{"platform":"linux","os_version":"6.1.0","app_version":"1.10"}}
      """
    let session = try await harness.call(.post, "/v1/sessions", body)
    let id = try #require(session.json.objectValue?["id"]?.stringValue)
    let eligible = try await harness.call(.get, "/v1/functions/eligible?session_id=\(id)")
    let names = eligible.json.arrayValue?.compactMap { $0.objectValue?["name"]?.stringValue }
    #expect(names == ["everywhere", "linux"])
    #expect(try await harness.call(.get, "/v1/functions/eligible?session_id=x").status == 422)
    #expect(try await harness.call(.get, "/v1/functions/eligible").status == 422)
  }
}
