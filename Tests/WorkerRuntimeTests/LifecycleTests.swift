import EventLedger
import ResolveKitCore
import TestSupport
import Testing

@testable import WorkerRuntime

/// The pure parts: statuses, requests, cursors.
@Suite struct LifecycleTests {
  private func time(_ second: Int64) -> WallTime { WallTime(microseconds: second * 1_000_000) }

  @Test func theStatusFollowsFromTheSteps() {
    typealias Step = WorkerLifecycle.Step
    let table: [([Step], RuntimeWorkerStatus?, Int64?, Int64?)] = [
      ([], nil, nil, nil),
      ([.stopped(.stopped)], nil, nil, nil),
      ([.started(.running)], .running, 0, nil),
      ([.started(.starting)], .starting, 0, nil),
      ([.started(.starting), .started(.running)], .running, 0, nil),
      ([.started(.running), .started(.starting)], .running, 0, nil),
      ([.started(.running), .started(.running), .stopped(.stopped)], .stopped, 0, 2),
      ([.started(.running), .stopped(.failed)], .failed, 0, 1),
      ([.started(.running), .stopped(.failed), .stopped(.stopped)], .stopped, 0, 1),
      ([.started(.running), .stopped(.stopped), .stopped(.failed)], .failed, 0, 1),
      ([.started(.running), .stopped(.stopped), .started(.running)], .running, 2, nil),
      ([.started(.running), .stopped(.failed), .started(.starting)], .starting, 2, nil),
    ]
    for (steps, status, started, stopped) in table {
      var lifecycle = WorkerLifecycle()
      for (second, step) in steps.enumerated() { lifecycle.take(step, at: time(Int64(second))) }
      #expect(lifecycle.status == status, "\(steps)")
      #expect(lifecycle.startedAt == started.map(time), "\(steps)")
      #expect(lifecycle.stoppedAt == stopped.map(time), "\(steps)")
      let kept = WorkerLifecycle(status: status, startedAt: lifecycle.startedAt, stoppedAt: lifecycle.stoppedAt)
      #expect(kept == lifecycle, "\(steps)")
    }
  }

  @Test func whoIsNotRunningIsRefusedInTheContractsWords() {
    let table: [([WorkerLifecycle.Step], String?)] = [
      ([.started(.running)], nil),
      ([.started(.starting)], "worker is not running"),
      ([.started(.running), .stopped(.stopped)], "worker is stopped; create or reattach to resume"),
      ([.started(.running), .stopped(.failed)], "worker is stopped; create or reattach to resume"),
      ([], "worker not found"),
    ]
    for (steps, message) in table {
      var lifecycle = WorkerLifecycle()
      for step in steps { lifecycle.take(step, at: time(0)) }
      var refusal: String?
      do { try lifecycle.checkRunning() } catch { refusal = error.message }
      #expect(refusal == message)
    }
  }

  /// Whatever happened, the state that is kept is the state: a fold from it continues as from the beginning.
  @Test(arguments: 0..<20)
  func aKeptStateContinuesAsTheWhole(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var whole = WorkerState()
    var kept = WorkerState()
    for number in 1...200 {
      let event = Self.event(Int64(number), using: &generator)
      whole.apply(event)
      kept.apply(event)
      if Int.random(in: 0..<10, using: &generator) == 0 {
        kept = WorkerState(try JSONValue(parsing: kept.json.serialized()))
      }
      #expect(kept == whole, "seed \(seed), event \(number)")
    }
  }

  private static func event(_ number: Int64, using generator: inout SeededGenerator) -> LedgerEvent {
    let id = "r\(Int.random(in: 0..<40, using: &generator))"
    let choices: [(String, JSONObject)] = [
      (EventType.started, ["status": "running"]), (EventType.started, ["status": "starting"]),
      (EventType.started, ["method": "thread/started"]),
      (EventType.stopped, ["reason": "r"]), (EventType.stopped, ["status": "failed"]), (EventType.heartbeat, [:]),
      (
        EventType.request,
        ["request_id": .string(id), "method": "turn/start", "params": ["n": JSONValue(number)], "timeout_ms": 1_000]
      ),
      (EventType.response, ["request_id": .string(id), "ok": true, "response": JSONValue(number)]),
      (EventType.error, ["request_id": .string(id), "code": "timeout", "request_digest": "d"]),
      (EventType.event, ["any": "thing"]), ("worker.else", [:]),
    ]
    let (type, payload) = choices.randomElement(using: &generator) ?? (EventType.event, [:])
    return LedgerEvent(
      sequence: number, fence: 1, time: WallTime(microseconds: number * 1_000), type: type,
      payload: JSONValue.object(payload).serialized())
  }

  @Test func aBookForgetsTheOldestReceipts() {
    var book = RequestBook()
    for number in 0..<300 {
      let request = RequestBook.Open(
        method: "turn/start", digest: "d", sequence: Int64(number), expiry: WallTime(microseconds: Int64(number)))
      book.opened("r\(number)", request)
      book.opened("r\(number)", request)
      if number == 299 { break }
      book.closed("r\(number)", digest: nil, receiptDigest: "e", sequence: Int64(number))
    }
    #expect(book.count == 300)
    #expect(book.openIDs == ["r299"])
    #expect(book.expired(at: WallTime(microseconds: 298)).isEmpty)
    #expect(book.expired(at: WallTime(microseconds: 299)) == ["r299"])
    #expect(book["r42"] == nil)
    guard case .closed? = book["r43"] else {
      Issue.record("256 receipts are remembered")
      return
    }
  }

  @Test func cursorsFollowA5() throws {
    let extent = LedgerExtent(floor: 10, last: 20)
    let table: [(Int64?, Int64?, Int64?, Int64?)] = [
      (nil, nil, 20, 20), (12, nil, 12, 12), (nil, 12, 12, 12), (12, 12, 12, 12), (12, 13, nil, nil),
      (10, nil, 10, 10), (9, nil, nil, nil), (nil, 0, nil, nil), (99, nil, 99, 20),
    ]
    for (query, field, position, start) in table {
      let cursor = try? StreamCursor(query: query, field: field, extent: extent)
      #expect(cursor?.position == position, "\(String(describing: query)) \(String(describing: field))")
      #expect(cursor?.start == start)
    }
    #expect(throws: WorkerError.staleCursor(floor: 10)) { try StreamCursor(query: 9, field: nil, extent: extent) }
  }

  @Test func idsAreTheContracts() {
    for text in ["abc", "a.b_c:d-E9", String(repeating: "a", count: 160)] { #expect(WorkerID(text) != nil) }
    for text in ["", "ab", String(repeating: "a", count: 161), "a b", "a/b", "äbc", "abc\n", "a%3Ab"] {
      #expect(WorkerID(text) == nil, "\(text)")
    }
  }

  @Test func validationSaysWhatIsWrongInThePublicLayersWords() throws {
    var validation = Validation()
    #expect(validation.integer("0", "tail_ms", in: 1...120_000) == nil)
    #expect(validation.string(.string("ab"), "workspace_ref", limit: 1) == nil)
    #expect(validation.object(nil, "request", isRequired: true).isEmpty)
    let fault = #expect(throws: APIFault.self) { try validation.check() }
    #expect(
      fault?.body == [
        "message": "The tail ms field must be at least 1. (and 2 more errors)",
        "errors": [
          "tail_ms": ["The tail ms field must be at least 1."],
          "workspace_ref": ["The workspace ref field must not be greater than 1 characters."],
          "request": ["The request field is required."],
        ],
      ])
  }
}
