import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CursorTests {
  @Test(arguments: [
    "", "abc", "-1", "+1", "1.0", "01", "1-0", "%20", "1%0A", "99999999999999999999", "9223372036854775808", "١",
  ])
  func malformedCursorsAreRefused(_ cursor: String) async throws {
    let session = try await Harness().openSession()
    let answer = try await session.harness.call(.get, session.path("events?cursor=\(cursor)"), token: session.token)
    #expect(answer.status == 422)
    let issue = answer.json.objectValue?["detail"]?.arrayValue?.first?.objectValue
    #expect(issue?["loc"] == ["query", "cursor"])
  }

  @Test func aMalformedLastEventIDIsRefused() async throws {
    let session = try await Harness().openSession()
    let name = try #require(HTTPField.Name("last-event-id"))
    let answer = try await session.harness.call(
      .get, session.path("events"), token: session.token, headers: [name: "x"])
    #expect(answer.status == 422)
  }

  @Test func aCursorFromBeforeTheRetentionIsGone() async throws {
    let harness = try await Harness(
      model: ScriptedModel([
        { _, output in try await output(.text("old")) }, { _, output in try await output(.text("new")) },
      ]), settings: BackendSettings(sessionLifetime: .seconds(1_000_000), retention: .seconds(100)))
    let session = try await harness.openSession()
    try await session.say("one", requestID: "1")
    let old = try await session.eventsOfTurn()
    await harness.core.turns.waitUntilIdle()
    harness.time.advance(by: .seconds(200))
    try await session.say("two", requestID: "2")
    await harness.core.turns.waitUntilIdle()
    try await harness.core.prune()

    let first = try #require(old.first?.id)
    let answer = try await harness.call(.get, session.path("events?cursor=\(first)"), token: session.token)
    #expect(answer.status == 410)
    let detail = try #require(answer.json.objectValue?["detail"]?.objectValue)
    #expect(detail["code"] == "cursor_expired")
    #expect(detail["message"]?.stringValue?.contains("no longer kept") == true)

    // The last event that was dropped lost nothing behind it.
    let last = try #require(old.last?.id)
    let rest = try await session.eventsOfTurn(after: last)
    #expect(rest.text == "new")
    // Without a cursor the rest is replayed.
    #expect(try await session.eventsOfTurn().text == "new")
  }

  @Test func aCursorOfAnotherLogIsGone() async throws {
    let session = try await Harness().openSession()
    let answer = try await session.harness.call(.get, session.path("events?cursor=57"), token: session.token)
    #expect(answer.status == 410)
    #expect(answer.json.objectValue?["detail"]?.objectValue?["code"] == "cursor_unknown")
  }
}
