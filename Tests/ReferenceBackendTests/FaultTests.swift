import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FaultTests {
  private static let words = (0..<60).map { "w\($0) " }

  private func events(
    _ faults: StreamFaults, settings: BackendSettings = BackendSettings()
  ) async throws -> [TestEvent] {
    let harness = try await Harness(
      model: ScriptedModel(words: Self.words), settings: settings, faults: BackendFaults(stream: faults))
    let session = try await harness.openSession()
    try await session.say("go", requestID: "r")
    await harness.core.turns.waitUntilIdle()
    var reader = try await session.stream()
    var events: [TestEvent] = []
    harness.core.endStreams()
    while let event = try await reader.nextEvent() { events.append(event) }
    return events
  }

  @Test func eventsAreLostRepeatedAndSwappedAsTheSeedSays() async throws {
    let all = try await events(StreamFaults())
    #expect(all.count == 61)
    let lost = try await events(StreamFaults(drop: 0.2, seed: 3))
    #expect((1..<61).contains(lost.count))
    #expect(lost.map(\.id) == all.map(\.id).filter { id in lost.contains { $0.id == id } })
    let repeated = try await events(StreamFaults(duplicate: 0.2, seed: 3))
    #expect(repeated.count > 61 && Set(repeated.map(\.id)).count == 61)
    let swapped = try await events(StreamFaults(reorder: 0.2, seed: 3))
    #expect(swapped.map(\.id) != all.map(\.id))
    #expect(swapped.map(\.id).sorted() == all.map(\.id).sorted())
    #expect(try await events(StreamFaults(drop: 0.2, seed: 3)).map(\.id) == lost.map(\.id))
    #expect(try await events(StreamFaults(drop: 0.2, seed: 4)).map(\.id) != lost.map(\.id))
    #expect(try await events(StreamFaults(drop: 1)).isEmpty)
  }

  @Test func answersAreOrderedForTheNextCalls() async throws {
    let faults = BackendFaults()
    let session = try await Harness(faults: faults).openSession()
    let harness = session.harness
    faults.refuse("GET events", with: .init(status: 410))
    faults.refuse("GET events", with: .init(status: 403), times: 2)
    faults.refuse("POST messages", with: .init(status: 429, retryAfter: 7))
    var statuses: [Int] = []
    for _ in 0..<3 {
      statuses.append(try await harness.call(.get, session.path("events"), token: session.token).status)
    }
    #expect(statuses == [410, 403, 403])
    _ = try await session.stream()
    let refused = try await harness.call(.post, session.path("messages"), "{}", token: session.token)
    #expect(refused.status == 429 && refused.headers[.retryAfter] == "7")
    #expect(try await session.post("hello", requestID: "r").status == 202)
  }

  @Test(arguments: [401, 403, 404, 409, 410, 422, 426, 429, 500, 503])
  func everyOrderedAnswerHasADetail(status: Int) async throws {
    let faults = BackendFaults()
    let harness = try await Harness(faults: faults)
    faults.refuse("GET functions", with: .init(status: status))
    let answer = try await harness.call(.get, "/v1/functions")
    #expect(answer.status == status)
    #expect(answer.json.objectValue?["detail"] != nil)
    #expect(try await harness.call(.get, "/v1/functions").status == 200)
  }

  /// A client that learns nothing at all finds the answer in the history, and its message was taken once.
  @Test func whatStreamsLoseTheHistoryHas() async throws {
    let model = ScriptedModel([
      { _, output in try await output(.toolCalls([ModelToolCall(id: "a", name: "tool", arguments: [:])])) },
      { _, output in try await output(.text("without the tool")) },
    ])
    let harness = try await Harness(model: model, faults: BackendFaults(stream: StreamFaults(drop: 1)))
    try await harness.register([["name": "tool", "timeout_seconds": 5]])
    let session = try await harness.openSession(tools: ["tool"])
    let turn = try await session.say("go", requestID: "r")
    // Nobody knows of the call, so its time ends.
    await harness.clock.waitForSleeper(until: .seconds(5))
    harness.clock.advance(by: .seconds(5))
    await harness.core.turns.waitUntilIdle()
    #expect(try await session.say("go", requestID: "r") == turn)
    #expect(try await session.history().map(\.content).suffix(2) == ["go", "without the tool"])
    var reader = try await session.stream()
    harness.core.endStreams()
    #expect(try await reader.nextEvent() == nil)
  }

  @Test func aTurnMayEndWithoutAWord() async throws {
    let faults = BackendFaults()
    faults.endSilently(turns: 1)
    let harness = try await Harness(
      model: ScriptedModel([
        { _, output in try await output(.text("one")) }, { _, output in try await output(.text("two")) },
      ]),
      settings: BackendSettings(streamsText: false), faults: faults)
    let session = try await harness.openSession()
    try await session.say("a", requestID: "1")
    await harness.core.turns.waitUntilIdle()
    #expect(try await session.history().last?.content == "one")
    try await session.say("b", requestID: "2")
    let events = try await session.eventsOfTurn()
    #expect(events.map(\.type) == ["turn_complete"])
    #expect(events.first?.payload["full_text"] == "two")
  }

  @Test func idsOfTheOtherStyleAreResumedFrom() async throws {
    let settings = BackendSettings(eventIDs: .milliseconds)
    let harness = try await Harness(model: ScriptedModel(words: Self.words), settings: settings)
    let session = try await harness.openSession()
    try await session.say("go", requestID: "r")
    let all = try await session.eventsOfTurn()
    #expect(all[0].id == "1800000000000-1")
    #expect(try await session.eventsOfTurn(after: all[9].id).map(\.id) == all.dropFirst(10).map(\.id))
    for cursor in ["1", "1-", "-1", "a-1", "1-1-1", "01-1", "1-01", "1-99999999999999999999", ""] {
      let answer = try await harness.call(.get, session.path("events?cursor=\(cursor)"), token: session.token)
      #expect(answer.status == 422, "\(cursor)")
    }
  }

  @Test func thePublicServersConductIsSilentOnCursors() async throws {
    let harness = try await Harness(settings: BackendSettings(compatibility: .compatible))
    let session = try await harness.openSession()
    // Beyond the end: nothing comes, and nothing is said.
    var reader = try await session.stream(after: "57")
    harness.core.endStreams()
    #expect(try await reader.nextEvent() == nil)
    let answer = try await harness.call(.get, session.path("events?cursor=x"), token: session.token)
    #expect(answer.status == 422)
  }
}
