import EventStream
import HTTPTypes
import Hummingbird
import ResolveKitCore
import Synchronization
import Testing

/// A session of a harness's backend, as its client sees it.
struct TestSession: Sendable {
  let harness: Harness
  let id: String
  let token: String
  let isReused: Bool

  func path(_ rest: String) -> String { "/v1/sessions/\(id)/\(rest)" }

  /// Begins a turn; returns its id.
  @discardableResult
  func say(_ text: String, requestID: String) async throws -> String {
    let answer = try await post(text, requestID: requestID)
    #expect(answer.status == 202)
    return try #require(answer.json.objectValue?["turn_id"]?.stringValue)
  }

  func post(_ text: String, requestID: String) async throws -> (status: Int, json: JSONValue) {
    let body: JSONValue = ["text": .string(text), "request_id": .string(requestID)]
    let answer = try await harness.call(.post, path("messages"), body.jsonText, token: token)
    return (answer.status, answer.json)
  }

  func sendResult(
    _ value: JSONValue, turn: String, call: String, key: String, status: String = "success", error: String? = nil
  ) async throws -> (status: Int, json: JSONValue) {
    var body: JSONObject = [
      "turn_id": .string(turn), "call_id": .string(call), "idempotency_key": .string(key), "status": .string(status),
      "result": value,
    ]
    if let error { body["error"] = .string(error) }
    let answer = try await harness.call(.post, path("tool-results"), JSONValue.object(body).jsonText, token: token)
    return (answer.status, answer.json)
  }

  /// Opens the event stream.
  func stream(after cursor: String? = nil) async throws -> EventReader {
    let query = cursor.map { "?cursor=\($0)" } ?? ""
    let response = try await harness.respond(.get, path("events") + query, token: token)
    #expect(response.status == .ok)
    #expect(response.headers[.contentType] == "text/event-stream; charset=utf-8")
    return EventReader(response.body)
  }

  /// The events up to and with the next terminal one.
  func eventsOfTurn(after cursor: String? = nil) async throws -> [TestEvent] {
    var reader = try await stream(after: cursor)
    var events: [TestEvent] = []
    while let event = try await reader.nextEvent() {
      events.append(event)
      if event.isTerminal { return events }
    }
    Issue.record("the stream ended before the turn")
    return events
  }

  func history() async throws -> [(role: String, content: String)] {
    let answer = try await harness.call(.get, path("messages"), token: token)
    return try #require(answer.json.arrayValue).map { message in
      (message.objectValue?["role"]?.stringValue ?? "", message.objectValue?["content"]?.stringValue ?? "")
    }
  }
}
