import CodexRemoteContract
import EventLedger
import ResolveKitCore

/// Brings requests to whatever runs codex, and waits for their receipts.
struct RequestDesk: Sendable {
  /// The end of a request.
  struct Outcome: Sendable {
    let isSuccess: Bool
    /// JSON text.
    let response: [UInt8]
  }

  let storage: Storage
  let directory: WorkerDirectory
  /// The time limit of a device.
  let timeout: Duration
  let clock: any Clock<Duration>
  let now: @Sendable () -> WallTime

  /// Asks, or joins a request under the same id, and returns its end. Throws ``WorkerError``.
  func ask(_ request: WorkerRequest, of id: WorkerID, by owner: String) async throws -> Outcome {
    let worker = directory[id]
    let snapshot = try await worker.snapshot(for: owner)
    let change = try await dispatch(request, to: worker, record: snapshot.record)
    switch change.value.requests[request.id] {
    case .closed(let closed): return try await outcome(at: closed.sequence, of: worker)
    case .open(let open):
      // In a task of its own: the time-out is written whether or not this client waits for it.
      let waiting = Task { try await receipt(of: request.id, open, from: worker) }
      return try await outcome(at: try await waiting.value, of: worker)
    case nil:
      throw WorkerError(.conflict, "request_id was used before, and its receipt is not kept any more")
    }
  }

  /// Ends the requests of a worker whose time is over: those of a runtime that is gone.
  ///
  /// - Parameter end: the worker's last event, just asked for.
  func expire(of worker: Worker, end: Int64) async throws {
    let now = now()
    guard try await !worker.state(end: end).receiptsOfExpiry(at: now).isEmpty else { return }
    _ = try await worker.change { $0.receiptsOfExpiry(at: now).map(\.draft) }
  }

  private func dispatch(
    _ request: WorkerRequest, to worker: Worker, record: WorkerRecord
  ) async throws -> SharedStream<WorkerState>.Change {
    let now = now()
    let digest = request.digest
    let asked = request.draft(at: now, timeout: timeout)
    return try await worker.change { state in
      switch state.requests[request.id] {
      case .open(let known) where known.digest == digest: return []
      case .closed(let known) where known.digest == digest: return []
      case .open, .closed: throw WorkerError(.conflict, "request_id was used for another request")
      case nil: break
      }
      try state.lifecycle.checkRunning()
      if state.requests.isFull { return [Self.refusal(request, "Server overloaded; retry later.", at: now)] }
      switch record.adapter {
      case WorkerRecord.inMemory: return [asked, Self.echo(request, count: state.requests.count + 1, at: now)]
      default:
        let heartbeat = HeartbeatState(status: .running, heartbeatAt: state.heartbeatAt, now: now)
        guard heartbeat == .fresh else {
          return [Self.refusal(request, "no device of the worker has given a sign of life lately", at: now)]
        }
        return [asked]
      }
    }
  }

  /// Waits for the receipt of a request, writes the one of the time-out where none came, and returns its event's number.
  private func receipt(of id: String, _ request: RequestBook.Open, from worker: Worker) async throws -> Int64 {
    try await withThrowingTaskGroup(of: Int64?.self) { group in
      group.addTask {
        let events = storage.feed.follow(StreamNames.events(of: worker.id), after: request.sequence)
        for try await event in events where Receipt(type: event.type, payload: event.members)?.requestID == id {
          return event.sequence
        }
        return nil
      }
      group.addTask {
        try await clock.sleep(for: now().duration(to: request.expiry))
        return try await end(id, of: worker)
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let sequence = first else {
        throw LedgerError(.unavailable(mayHaveHappened: true), "The runtime shuts down; ask again under the same id.")
      }
      return sequence
    }
  }

  private func end(_ id: String, of worker: Worker) async throws -> Int64? {
    let now = now()
    let change = try await worker.change { state in
      guard case .open(let request) = state.requests[id] else { return [] }
      return [
        Receipt(.timeout, "the device gave no receipt in time", requestID: id, method: request.method, at: now)
          .draft
      ]
    }
    guard case .closed(let request) = change.value.requests[id] else { return nil }
    return request.sequence
  }

  private func outcome(at sequence: Int64, of worker: Worker) async throws -> Outcome {
    guard let event = try await worker.event(sequence) else {
      throw WorkerError(.conflict, "request_id was used before, and its receipt is not kept any more")
    }
    guard event.type == EventType.error else {
      // As it came: a number that is beyond a double keeps its digits.
      let response = JSONValue.place(of: ["response"], in: event.payload).map { Array(event.payload[$0]) }
      return Outcome(isSuccess: true, response: response ?? Array("null".utf8))
    }
    var failure = JSONText()
    for name in ["code", "message", "retryable", "details"] {
      guard let place = JSONValue.place(of: [name], in: event.payload) else { continue }
      failure.add(name, text: Array(event.payload[place]))
    }
    return Outcome(isSuccess: false, response: failure.bytes)
  }

  /// The answers of the adapter for tests.
  private static func echo(_ request: WorkerRequest, count: Int, at now: WallTime) -> LedgerDraft {
    let response: JSONValue = [
      "id": .string(request.id), "jsonrpc": "2.0",
      "result": [
        "status": "accepted", "method": .string(request.method), "echo": request.paramsValue,
        "request_count": JSONValue(Int64(count)),
      ],
    ]
    return Receipt(response: response, requestID: request.id, method: request.method, at: now).draft
  }

  /// The receipt of a request that is brought to nobody.
  private static func refusal(_ request: WorkerRequest, _ message: String, at now: WallTime) -> LedgerDraft {
    let receipt = Receipt(.workerUnavailable, message, requestID: request.id, method: request.method, at: now)
    var payload = receipt.payload
    payload[WorkerState.refusedDigest] = .string(request.digest)
    return LedgerDraft(type: receipt.type, payload: JSONText.of(payload))
  }
}
