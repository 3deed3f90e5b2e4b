import ResolveKitCore
import TestSupport
import Testing

@testable import CodexWorkersClient

/// request/response decoding and error mapping
struct WireModelTests {
  private func value(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

  @Test func camelAndSnakeCaseAreTheSame() throws {
    let camel = try value(
      #"{"workerId":"w","seq":4,"eventType":"worker.event","payload":{"a":1},"occurredAt":"t"}"#)
    let snake = try value(
      #"{"worker_id":"w","seq":4,"event_type":"worker.event","payload":{"a":1},"occurred_at":"t"}"#)
    #expect(WorkerEvent(camel) == WorkerEvent(snake))
    #expect(WorkerEvent(camel)?.sequence == 4)
    let created = try #require(
      WireObject(try value(#"{"workerId":"w","status":"running","latestSeq":3,"idempotentReplay":true}"#)))
    #expect(WorkerCreation(created)?.latestSequence == 3)
    #expect(WorkerCreation(created)?.isReplay == true)
  }

  @Test func anEmptyArrayIsAnEmptyObject() throws {
    #expect(WorkerEvent(try value(#"{"seq":1,"event_type":"worker.event","payload":[]}"#))?.payload == [:])
    #expect(WorkerSnapshot(try value(#"{"worker_id":"w","metadata":[]}"#))?.metadata == [:])
    let receipt = WatchScript.event(
      1, ["request_id": "r", "method": "turn/start", "code": "conflict", "message": "m", "details": []],
      type: "worker.error")
    #expect(
      WorkerReceipt(receipt)?.outcome == .failure(code: "conflict", message: "m", isRetryable: false, details: [:]))
  }

  @Test func aSnapshotIsReadWithItsReadModelUnderEitherName() throws {
    for name in ["khala_projection", "convex_projection"] {
      let snapshot = WorkerSnapshot(
        try value(
          #"{"worker_id":"w","status":"strange","latest_seq":9,"\#(name)":{"lag_events":2,"status":"lagging","last_runtime_seq":7}}"#
        ))
      #expect(snapshot?.projection?.lagEvents == 2)
      #expect(snapshot?.status == .unknown("strange"))
    }
  }

  @Test(arguments: [
    "[]", "null", "{}", #"{"worker_id":""}"#, #"{"worker_id":" "}"#, #"{"worker_id":7}"#,
  ])
  func whatNamesNoWorkerIsNone(_ text: String) throws {
    #expect(WorkerSnapshot(try value(text)) == nil)
  }

  @Test(arguments: [
    (401, WorkersError.Code.signInNeeded, #"{"message":"Unauthenticated."}"#, "Unauthenticated."),
    (403, .forbidden, #"{"error":{"code":"forbidden","message":"worker does not belong to principal"}}"#, "principal"),
    (404, .notFound, #"{"error":{"code":"not_found","message":"worker not found"}}"#, "list the workers"),
    (
      409, .conflict, #"{"error":{"code":"conflict","message":"worker is stopped; create or reattach to resume"}}"#,
      "create it again"
    ),
    (
      410, .staleCursor, #"{"error":{"code":"stale_cursor","message":"cursor is older than retention floor"}}"#, "floor"
    ),
    (422, .invalid, #"{"message":"The given data was invalid.","errors":{"limit":["too large"]}}"#, "limit: too large"),
    (400, .invalid, #"{"error":{"code":"invalid_request","message":"no"}}"#, "correct it"),
    (429, .throttled, #"{"message":"Too Many Attempts."}"#, "wait"),
    (502, .unavailable, #"{"error":{"code":"runtime_codex_failed","message":"down"}}"#, "try again"),
    (500, .unavailable, "<html>", "try again"),
  ])
  func eachStatusIsAStateWithASentenceAndItsRemedy(
    status: Int, code: WorkersError.Code, body: String, words: String
  ) {
    let error = WorkersError(status: status, body: Array(body.utf8), requestID: "r")
    #expect(error.code == code)
    #expect(error.message.contains(words), "\(error.message)")
    #expect(error.requestID == "r")
  }

  @Test func aServersTextCannotSteerATerminal() {
    let error = WorkersError(
      status: 404, body: Array(#"{"error":{"message":"\u001b[2Jgone\u202e\nnew line"}}"#.utf8), requestID: nil)
    #expect(!error.message.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    #expect(error.message.contains("gone"))
  }

  @Test func idsHaveNoDigitsThatARuntimeWouldTakeForATelephoneNumber() {
    var generator = SeededGenerator(seed: 3)
    let ids = (0..<1_000).map { _ in LetterID.make("hs-", using: &generator) }
    #expect(ids.allSatisfy { $0.allSatisfy { !$0.isNumber } && $0.utf8.count == 29 })
    #expect(Set(ids).count == 1_000)
  }
}
