import ArgumentParser
import CodexWorkersClient
import ResolveKitCore
import Testing

@testable import remote

/// The output and endings of `remote workers`.
struct RemoteWorkersTests {
  private let hostile = "\u{1B}[2J\u{7}\u{202E}x\r\ny"

  private func isHarmless(_ line: String) -> Bool {
    line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0.value != 0x202E }
  }

  @Test func nothingThatAPeerWroteSteersTheTerminal() throws {
    let text = JSONValue.string(hostile)
    let worker = try #require(
      WorkerSnapshot([
        "worker_id": text, "status": text, "adapter": text, "workspace_ref": text, "metadata": ["name": text],
        "backend": ["name": text, "health": text, "version": text],
        "started_at": text, "last_heartbeat_at": text, "heartbeat_state": text,
        "khala_projection": ["lag_events": 3, "status": text],
      ]))
    let event = try #require(
      WorkerEvent([
        "seq": 1, "event_type": text, "occurred_at": text, "payload": ["method": text, "text": text],
      ]))
    let receipt = try #require(
      WorkerReceipt(
        WorkerEvent(
          workerID: "w", sequence: 1, type: "worker.error",
          payload: ["request_id": text, "method": text, "code": text, "message": text], occurredAt: "t")))
    let lines =
      WorkersText.list([worker]) + WorkersText.show(worker) + [WorkersText.row(event), WorkersText.row(receipt)]
    #expect(lines.count == 18)
    #expect(lines.allSatisfy(isHarmless))
    #expect(isHarmless(event.json.visibleText))
  }

  @Test func aCreatedWorkerIsNamedFirst() {
    func line(_ id: String, _ status: String, isReplay: Bool) -> String {
      WorkersText.created(
        WorkerCreation(workerID: id, status: WorkerStatus(status), latestSequence: 0, isReplay: isReplay))
    }
    #expect(line("w-a", "starting", isReplay: false) == "w-a is starting")
    #expect(line("w-a", "running", isReplay: true) == "w-a was there already; it is running")
    #expect(isHarmless(line(hostile, hostile, isReplay: false)))
  }

  @Test func aRowHasTheSequenceTheMethodAndWhatElseIsInThePayload() {
    let event = WorkerEvent(
      workerID: "w", sequence: 7, type: "worker.event",
      payload: ["source": "autopilot-desktop", "method": "turn/started", "occurred_at": "x", "a": 1], occurredAt: "t")
    #expect(WorkersText.row(event) == #"7  t  worker.event  turn/started  {"a":1}"#)
    #expect(WorkersText.row(.lost(3...5)) == "-- events 3 to 5 are missing: not all are kept any more")
  }

  @Test func aReceiptSaysHowItsRequestEnded() {
    let answer: JSONObject = ["request_id": "r", "method": "thread/list", "ok": true, "response": ["data": []]]
    let failure: JSONObject = ["request_id": "r", "method": "thread/list", "code": "conflict", "message": "no"]
    func row(_ type: String, _ payload: JSONObject) -> String {
      WorkersText.row(WorkerEvent(workerID: "w", sequence: 9, type: type, payload: payload, occurredAt: "t"))
    }
    #expect(row("worker.response", answer) == #"9  thread/list r answered  {"data":[]}"#)
    #expect(row("worker.error", failure) == "9  thread/list r failed  conflict: no")
  }

  @Test func aListSaysHowFarItsReadModelIs() throws {
    func row(_ projection: JSONValue) throws -> String {
      let worker = try #require(
        WorkerSnapshot(["worker_id": "w", "status": "running", "khala_projection": projection]))
      return try #require(WorkersText.list([worker]).last)
    }
    #expect(try row(["lag_events": 3, "status": "lagging"]).hasSuffix("  lagging, 3 events"))
    #expect(try row(["lag_events": 0, "status": "in_sync"]).hasSuffix("  in_sync"))
    #expect(try row(.null).hasSuffix("  -"))
  }

  @Test func aTimelineMarksTheEndsOfThisMachinesRequests() {
    func end(_ sequence: Int64, _ id: String) -> WorkerUpdate {
      .event(
        WorkerEvent(
          workerID: "w", sequence: sequence, type: "worker.response",
          payload: ["request_id": .string(id), "method": "thread/list", "ok": true, "response": [:]], occurredAt: "t"))
    }
    var timeline = WorkerTimeline(maximumEntries: 3)
    timeline.willSend(WorkerControlRequest(id: "mine", method: "thread/list"))
    timeline.take(end(1, "theirs"))
    timeline.take(end(2, "theirs-too"))
    timeline.take(end(3, "mine"))
    timeline.take(.lost(4...5))
    #expect(
      WorkersText.timeline(timeline) == [
        "-- 1 earlier ones: remote workers watch --after 0",
        "2  thread/list theirs-too answered  {}", "3  thread/list mine answered  {}  (yours)",
        "-- events 4 to 5 are missing: not all are kept any more",
      ])
  }

  @Test func aLargePayloadIsCut() {
    let event = WorkerEvent(
      workerID: "w", sequence: 7, type: "worker.event",
      payload: ["text": .string(String(repeating: "x", count: 100_000))], occurredAt: "t")
    #expect(WorkersText.row(event).utf8.count < 1_000)
  }

  @Test(
    arguments: [
      (WorkersError.Code.signInNeeded, 4), (.forbidden, 4), (.notFound, 5), (.conflict, 6), (.invalid, 7),
      (.throttled, 8),
      (.unavailable, 3), (.unreachable, 3), (.timedOut, 3), (.staleCursor, 1), (.unreadable, 1),
    ] as [(WorkersError.Code, Int32)])
  func eachStateHasItsExitCode(code: WorkersError.Code, status: Int32) {
    #expect(WorkersExit.code(code) == ExitCode(status))
  }

  @Test func anExpiredSignInNamesItsRemedyAndTheRequest() {
    let error = WorkersError(.signInNeeded, "You are not signed in.", requestID: "remotereq-a")
    #expect(
      WorkersExit.sentence(error, server: "https://a.test")
        == "You are not signed in. Run: remote workers login https://a.test [x-request-id remotereq-a]")
  }

  @Test(arguments: [
    ["workers", "request", "w", "thread/archive"], ["workers", "list", "--limit", "0"], ["workers", "watch"],
    ["workers", "watch", "w", "--count", "0"], ["workers", "handshake", "w", "--late", "-1"],
    ["workers", "stop", "w", "--reason", String(repeating: "x", count: 256)],
  ])
  func badArgumentsAreRefused(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try RemoteCommand.parseAsRoot(arguments) }
  }

  @Test(arguments: WorkerControlRequest.methods)
  func theEditorBeginsWithAnObject(_ method: String) throws {
    #expect(try JSONValue(parsing: WorkersRequestCommand.draft(method)).objectValue != nil)
  }
}
