import CodexAppServer
import EventLedger
import Logging
import ResolveKitCore

/// The device of one hosted worker: does for the codex beside the runtime what a program on another machine does for its
/// own. It follows the worker's events, performs requests, posts receipts, and gives signs of life.
struct LocalDevice: Sendable {
  /// Larger parameters are cut, and say so; the desktop lane has the same limit.
  private static let parameterLimit = 256 << 10
  private static let leaseDuration = Duration.seconds(15)
  private static let renewal = Duration.seconds(5)
  private static let heartbeat = Duration.seconds(30)
  /// Handshakes that are remembered, so that each gets one answer.
  private static let keptHandshakes = 1_024

  private let id: WorkerID
  private let worker: Worker
  private let parts: LaneParts

  init(_ id: WorkerID, _ parts: LaneParts) {
    self.id = id
    self.parts = parts
    worker = parts.directory[id]
  }

  /// Runs until the worker is over, another runtime has taken its lane, or the task is cancelled. Where another runtime has
  /// it, this one stands by for its end.
  func run(_ codex: any HostedCodex, _ policy: HostedPolicy) async throws {
    guard let lease = try await standBy() else { return }
    let result: Result<Void, any Error>
    do { result = .success(try await host(codex, policy, under: lease)) } catch { result = .failure(error) }
    // Not in this task, which may be cancelled: the next runtime is not to wait for the lease's end.
    await Task { try? await parts.storage.ledger.release(lease) }.value
    try result.get()
  }

  private func host(_ codex: any HostedCodex, _ policy: HostedPolicy, under lease: LedgerLease) async throws {
    // What an earlier runtime reported about its own codex does not hold any more.
    try await tellHealth("starting", [:])
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      let start = try await worker.state().latest
      group.addTask { try await keep(lease) }
      group.addTask { try await serve(after: start, codex, policy) }
      group.addTask { try await codex.run { await take($0) } }
      group.addTask {
        while true {
          try await parts.clock.sleep(for: Self.heartbeat)
          if await isHealthy() { try await post(EventType.heartbeat, ["source": "runtime"]) }
        }
      }
      // Whichever ends first ends the rest.
      try await group.next()
    }
  }

  /// The lane's lease, once no other runtime has it; nil where the worker is over before.
  private func standBy() async throws -> LedgerLease? {
    while true {
      if let lease = try await lease() { return lease }
      guard try await !isOver() else { return nil }
      try await parts.clock.sleep(for: Self.renewal)
    }
  }

  /// Ends the worker as failed.
  func fail(_ reason: String) async throws {
    try await tellHealth("failed", [:])
    let now = parts.now()
    _ = try await worker.change { state in
      switch state.lifecycle.status {
      case nil, .stopped, .failed: return []
      case .starting, .running, .stopping:
        let end: JSONObject = ["reason": .string(reason), "status": .string(WorkerStatus.failed.rawValue)]
        return state.receiptsOfStop(at: now).map(\.draft)
          + [LedgerDraft(type: EventType.stopped, payload: JSONText.of(end))]
      }
    }
  }

  /// The lane's lease; nil where another runtime has it.
  private func lease() async throws -> LedgerLease? {
    do {
      return try await parts.storage.ledger.lease("lane/\(id.text)", to: parts.holder, for: Self.leaseDuration)
    } catch let error as LedgerError {
      if case .leased = error.code { return nil }
      throw error
    }
  }

  private func keep(_ lease: LedgerLease) async throws {
    while true {
      try await parts.clock.sleep(for: Self.renewal)
      do { _ = try await parts.storage.ledger.renew(lease, for: Self.leaseDuration) } catch let error as LedgerError {
        if case .fenced = error.code { return }
      }
    }
  }

  /// Performs requests and answers handshakes until the worker is over.
  private func serve(after start: Int64, _ codex: any HostedCodex, _ policy: HostedPolicy) async throws {
    guard try await !isOver() else { return }
    try await withThrowingTaskGroup(of: Void.self) { group in
      var answered: Set<HostedHandshake> = []
      for try await event in parts.storage.feed.follow(StreamNames.events(of: id), after: start) {
        switch event.type {
        case EventType.request: group.addTask { try await perform(event, codex, policy) }
        case EventType.stopped:
          group.cancelAll()
          return
        default:
          guard let handshake = HostedHandshake(event), answered.insert(handshake).inserted else { break }
          if answered.count > Self.keptHandshakes { answered = [handshake] }
          await answer(handshake)
        }
      }
    }
  }

  /// Answers for codex while it is ready; where it is not, the client gets no answer and its handshake times out.
  private func answer(_ handshake: HostedHandshake) async {
    guard await isHealthy() else { return }
    do {
      try await post(EventType.event, handshake.acknowledgement(from: "runtime-\(parts.holder)"))
    } catch {
      parts.logger.warning("a handshake was not answered: \(error)", metadata: ["worker_id": "\(id.text)"])
    }
  }

  private func isOver() async throws -> Bool {
    switch try await worker.state().lifecycle.status {
    case nil, .stopped, .failed: true
    case .starting, .running, .stopping: false
    }
  }

  private func perform(_ event: LedgerEvent, _ codex: any HostedCodex, _ policy: HostedPolicy) async throws {
    guard let request = WorkerRequest(event) else { return }
    let receipt = try await receipt(of: request, codex, policy)
    _ = try await worker.change { state in
      guard case .open = state.requests[request.id] else { return [] }
      return [receipt.draft]
    }
  }

  /// Has codex do what is asked for; an answer that fits into no event is reported as a failure.
  private func receipt(
    of request: WorkerRequest, _ codex: any HostedCodex, _ policy: HostedPolicy
  ) async throws -> Receipt {
    do {
      let response = try await codex.call(request.method, try policy.params(of: request))
      let receipt = Receipt(response: response, requestID: request.id, method: request.method, at: parts.now())
      if receipt.draft.payload.count <= RequestBody.limit { return receipt }
      throw HostedFailure(
        .internalError, "codex's answer has more than \(RequestBody.limit) bytes; ask for less, such as one page")
    } catch let failure as HostedFailure {
      return Receipt(
        failure.code, failure.message, requestID: request.id, method: request.method, at: parts.now())
    }
  }

  private func take(_ event: HostedCodexEvent) async {
    do {
      switch event {
      case .started(let version):
        try await tellHealth("ready", ["version": .string(version)])
        let sign: JSONObject = ["source": "runtime", "occurred_at": .string(parts.now().zulu)]
        // With the sign of life in one: a worker that runs without one takes no requests.
        _ = try await worker.change { state in
          let heartbeat = LedgerDraft(type: EventType.heartbeat, payload: JSONText.of(sign))
          let start: JSONObject = ["status": "running", "reason": "codex_started"]
          switch state.lifecycle.status {
          case .starting: return [LedgerDraft(type: EventType.started, payload: JSONText.of(start)), heartbeat]
          case .running: return [heartbeat]
          case nil, .stopping, .stopped, .failed: return []
          }
        }
      case .told(let method, let params):
        let fitting = PayloadFit.fit(params.objectValue ?? [:], toBytes: Self.parameterLimit)
        try await post(
          EventType.event, ["source": "runtime", "method": .string(method), "params": .object(fitting)])
      case .ended(let reason): try await tellHealth("restarting", ["reason": .string(reason)])
      }
    } catch {
      parts.logger.warning("an event of codex was not stored: \(error)", metadata: ["worker_id": "\(id.text)"])
    }
  }

  private func isHealthy() async -> Bool {
    (try? await worker.snapshot(for: nil).record.backend?.objectValue?["health"]) == "ready"
  }

  private func tellHealth(_ health: String, _ more: JSONObject) async throws {
    let backend = more.merging(["name": "codex app-server", "lane": "local", "health": .string(health)]) { $1 }
    try await worker.changeRecord { $0.backend = .object(backend) }
  }

  private func post(_ type: String, _ payload: JSONObject) async throws {
    let payload = payload.merging(["occurred_at": .string(parts.now().zulu)]) { $1 }
    _ = try await worker.change { state in
      state.lifecycle.status == .running ? [LedgerDraft(type: type, payload: JSONText.of(payload))] : []
    }
  }
}
