import EventLedger
import ResolveKitCore

/// Takes events that clients and devices post, and ends workers.
struct EventDesk: Sendable {
  /// The outcome of a posted event.
  struct Posting: Sendable {
    let event: LedgerEvent
    /// Whether it was stored before, under its key or as the same receipt.
    let isRepeat: Bool
  }

  /// The reason for which a decision has to wait for another.
  private struct OpenRequests: Error {}

  let directory: WorkerDirectory
  let now: @Sendable () -> WallTime

  /// Stores an event. Throws ``WorkerError``, and `LedgerError` with `keyReused` for another event under the same key.
  ///
  /// - Parameter key: repeating the same event under it stores nothing, and gives the first one's place.
  func post(_ event: PostedEvent, to id: WorkerID, by owner: String, key: String?) async throws -> Posting {
    let worker = directory[id]
    _ = try await worker.snapshot(for: owner)
    let key = key.map { "event \($0)" }
    if event.type == EventType.request {
      throw WorkerError(.invalidRequest, "worker.request is the runtime's; post to /requests")
    }
    if event.type == EventType.stopped { return try await postStop(event, to: worker, key: key) }
    if let receipt = event.receipt { return try await post(receipt, event, to: worker, key: key) }
    let change = try await worker.change(key: key) { state in
      try state.lifecycle.checkRunning()
      return [event.draft]
    }
    return try Self.posting(change)
  }

  /// Ends a worker, and its requests. Returns false where it was over before.
  func stop(_ id: WorkerID, by owner: String, reason: String) async throws -> Bool {
    let worker = directory[id]
    _ = try await worker.snapshot(for: owner)
    let now = now()
    let change = try await worker.change { state in
      if state.lifecycle.status == .stopped { return [] }
      let end = LedgerDraft(type: EventType.stopped, payload: JSONText.of(["reason": .string(reason)]))
      return state.receiptsOfStop(at: now).map(\.draft) + [end]
    }
    return change.event != nil
  }

  /// A device's `worker.stopped` stops the worker. The receipts of its requests go before it, apart: under a key, the
  /// same event has to be the same append, whatever waited the first time.
  private func postStop(_ event: PostedEvent, to worker: Worker, key: String?) async throws -> Posting {
    let now = now()
    for _ in 0..<8 {
      do {
        let change = try await worker.change(key: key) { state in
          guard state.requests.open.isEmpty else { throw OpenRequests() }
          return [event.draft]
        }
        return try Self.posting(change)
      } catch is OpenRequests {
        _ = try await worker.change { $0.receiptsOfStop(at: now).map(\.draft) }
      }
    }
    throw LedgerError(.unavailable(mayHaveHappened: false), "Requests come all the time; try again.")
  }

  private func post(
    _ receipt: Receipt, _ event: PostedEvent, to worker: Worker, key: String?
  ) async throws -> Posting {
    let change = try await worker.change(key: key) { state in
      switch state.requests[receipt.requestID] {
      case .open(let request):
        try state.lifecycle.checkRunning()
        try receipt.check(method: request.method)
        return [event.draft]
      case .closed(let request):
        guard request.receiptDigest == receipt.digest else {
          throw WorkerError(.conflict, "request already has its receipt")
        }
        return []
      case nil: throw WorkerError(.invalidRequest, "the worker has no request '\(receipt.requestID)'")
      }
    }
    if change.event != nil { return try Self.posting(change) }
    guard case .closed(let request)? = change.value.requests[receipt.requestID],
      let event = try await worker.event(request.sequence)
    else { throw WorkerError(.conflict, "request already has its receipt") }
    return Posting(event: event, isRepeat: true)
  }

  private static func posting(_ change: SharedStream<WorkerState>.Change) throws -> Posting {
    guard let event = change.event else {
      throw LedgerError(.database, "An event was neither stored nor refused; report this.")
    }
    return Posting(event: event, isRepeat: change.isRepeat)
  }
}
