import EventLedger
import JSONService
import Logging
import ResolveKitCore

/// Writes the notifications of a hosted worker's codex, the receipts of its requests, and its backend's health: each
/// once and in order, and later where the ledger is away.
actor HostedOutbox {
  private let worker: Worker
  private let parts: LaneParts
  /// Distinguishes its writes from those of another time.
  private let session = Letters.text(.system, count: 24)
  private var queue: HostedQueue
  /// The newest health, and whether it is to be written.
  private var health: JSONObject = [:]
  private var isHealthDue = false
  /// The number of lost events that the worker's state has.
  private var reportedLoss = 0
  private var isLosing = false
  private var patience = Patience()
  private var isClosed = false
  private var wakeUp: CheckedContinuation<Void, Never>?
  /// The callers that wait for room.
  private var held: [CheckedContinuation<Void, Never>] = []

  init(_ worker: Worker, _ parts: LaneParts) {
    self.worker = worker
    self.parts = parts
    queue = HostedQueue { [now = parts.now] count in
      LedgerDraft(
        type: EventType.event,
        payload: JSONText.of([
          "source": .string(LocalDevice.source), "method": "runtime/events_lost", "count": JSONValue(Int64(count)),
          "occurred_at": .string(now().zulu),
        ]))
    }
  }

  /// Adds an event. Where there is no room it waits while the ledger works, and is left out while it does not.
  func put(_ payload: JSONObject) async {
    while queue.isFull, patience.failures == 0, !isClosed { await withCheckedContinuation { held.append($0) } }
    if !queue.add(LedgerDraft(type: EventType.event, payload: JSONText.of(payload))), !isLosing {
      isLosing = true
      parts.logger.error(
        "the ledger is away for too long: \(queue.events) events wait, and codex's further notifications are left out",
        metadata: metadata)
    }
    wake()
  }

  func put(_ receipt: Receipt) {
    queue.add(receipt)
    wake()
  }

  /// Codex can be asked: the worker runs.
  func start() {
    queue.addStart()
    wake()
  }

  /// The backend's health; the newest one alone is written.
  func reportHealth(_ word: String, _ more: JSONObject = [:]) {
    health = more.merging(["name": "codex app-server", "lane": "local", "health": .string(word)]) { $1 }
    isHealthDue = true
    wake()
  }

  /// Writes until the task is cancelled.
  func run() async throws {
    while true {
      try Task.checkCancellation()
      do {
        guard try await writeNext() else {
          await wait()
          continue
        }
        succeeded()
      } catch let error as LedgerError where error.isPassing {
        try await parts.clock.sleep(for: failed(error))
      } catch let error as LedgerError {
        parts.logger.error("what a hosted worker had to write is refused: \(error)", metadata: metadata)
        queue.written()
      }
    }
  }

  /// Takes no more time than the ledger does: writes what there is, up to the first failure.
  func flush() async {
    isClosed = true
    release()
    do {
      while try await writeNext() {}
    } catch {
      parts.logger.error(
        "a hosted worker ends before all of it is written; \(queue.events) events are lost: \(error)",
        metadata: metadata)
    }
  }

  /// Returns false where there is nothing to write.
  private func writeNext() async throws -> Bool {
    guard !isHealthDue, queue.lost == reportedLoss else {
      try await writeHealth()
      return true
    }
    guard let batch = queue.next() else { return false }
    try await write(batch)
    queue.written()
    release()
    return true
  }

  private func writeHealth() async throws {
    let lost = queue.lost
    var report = health
    if lost > 0 { report["lost_events"] = JSONValue(Int64(lost)) }
    isHealthDue = false
    do {
      try await worker.changeRecord { [report] in $0.backend = .object(report) }
      reportedLoss = lost
    } catch {
      isHealthDue = true
      throw error
    }
  }

  private func write(_ batch: HostedQueue.Batch) async throws {
    switch batch {
    case .events(let drafts, let number):
      _ = try await worker.change(key: "hosted \(session) \(number)") { state in
        state.lifecycle.status == .running ? drafts : []
      }
    case .receipt(let receipt):
      _ = try await worker.change { state in
        guard case .open = state.requests[receipt.requestID] else { return [] }
        return [receipt.draft]
      }
    case .start:
      let heartbeat = LedgerDraft(
        type: EventType.heartbeat,
        payload: JSONText.of(["source": .string(LocalDevice.source), "occurred_at": .string(parts.now().zulu)]))
      let start = LedgerDraft(
        type: EventType.started, payload: JSONText.of(["status": "running", "reason": "codex_started"]))
      // With the sign of life in one: a worker that runs without one takes no requests.
      _ = try await worker.change { state in
        switch state.lifecycle.status {
        case .starting: [start, heartbeat]
        case .running: [heartbeat]
        case nil, .stopping, .stopped, .failed: []
        }
      }
    }
  }

  // MARK: waiting

  private func failed(_ error: LedgerError) -> Duration {
    if patience.failures == 0 {
      parts.logger.warning("codex's notifications wait until the ledger takes them: \(error)", metadata: metadata)
    }
    let pause = patience.failed(jitter: .random(in: 0...1))
    // Nobody waits for room that may not come.
    release()
    return pause
  }

  private func succeeded() {
    guard patience.failures > 0 else { return }
    patience.succeeded()
    parts.logger.notice(
      "the ledger takes codex's notifications again", metadata: metadata.merging(["lost": "\(queue.lost)"]) { $1 })
    isLosing = false
  }

  private func release() {
    let released = held
    held = []
    for continuation in released { continuation.resume() }
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { continuation.resume() } else { wakeUp = continuation }
      }
    } onCancel: {
      Task { await self.wake() }
    }
  }

  private func wake() {
    wakeUp?.resume()
    wakeUp = nil
  }

  private var metadata: Logger.Metadata { ["worker_id": "\(worker.id.text)"] }
}
