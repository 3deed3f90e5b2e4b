import CodexRemoteContract
import EventLedger
import Logging
import ResolveKitCore

/// The device of one hosted worker: does for the codex beside the runtime what a program on another machine does for its
/// own. It follows the worker's events, has requests performed, and gives signs of life.
struct LocalDevice: Sendable {
  /// A codex, and the folder in which it works.
  typealias Maker = @Sendable () throws -> (codex: any HostedCodex, workspace: String)

  private enum End {
    /// The worker is stopped, or was never made.
    case over
    /// The runtime ends.
    case closing
    /// Another runtime has the worker.
    case taken
  }

  /// The name of the writer of the device's events.
  static let source = "runtime"
  private static let leaseDuration = Duration.seconds(15)
  private static let renewal = Duration.seconds(5)
  private static let heartbeat = Duration.seconds(30)

  private let id: WorkerID
  private let worker: Worker
  private let parts: LaneParts
  private let places: HostedPlaces

  init(_ id: WorkerID, _ parts: LaneParts, places: HostedPlaces) {
    self.id = id
    self.parts = parts
    self.places = places
    worker = parts.directory[id]
  }

  /// Runs until the worker is over or the task is cancelled. Where another runtime has the worker, or takes it, this one
  /// stands by for its end. Throws ``HostedPlaces/Full``, and what `make` and codex throw.
  ///
  /// - Parameter isAsked: whether a client asks for it now, which then gets an error if there is no place.
  func run(isAsked: Bool, _ make: Maker) async throws {
    var isAsked = isAsked
    while let lease = try await standBy(isAsked: isAsked) {
      isAsked = false
      let outbox = HostedOutbox(worker, parts)
      let result: Result<End, any Error>
      do { result = .success(try await host(make, outbox, lease)) } catch { result = .failure(error) }
      // Not in this task, which may be cancelled: the next runtime is not to wait for the lease's end.
      await Task {
        switch result {
        case .success(.over), .success(.closing): await outbox.reportHealth("stopped")
        case .failure(let error) where error is CancellationError: await outbox.reportHealth("stopped")
        case .success(.taken), .failure: break
        }
        await outbox.flush()
        try? await parts.storage.ledger.release(lease)
      }.value
      places.giveBack()
      switch try result.get() {
      case .over, .closing: return
      case .taken: continue
      }
    }
  }

  /// Ends the worker as failed.
  func fail(_ reason: String) async throws {
    let now = parts.now()
    try await patiently {
      try await worker.changeRecord {
        let backend = $0.backend?.objectValue ?? ["name": "codex app-server", "lane": "local"]
        $0.backend = .object(backend.merging(["health": "failed", "reason": .string(reason)]) { $1 })
      }
    }
    try await patiently {
      _ = try await worker.change { state in
        switch state.lifecycle.status {
        case nil, .stopped, .failed: return []
        case .starting, .running, .stopping:
          let end: JSONObject = ["reason": .string(reason), "status": .string(RuntimeWorkerStatus.failed.rawValue)]
          return state.receiptsOfStop(at: now).map(\.draft)
            + [LedgerDraft(type: EventType.stopped, payload: JSONText.of(end))]
        }
      }
    }
  }

  /// The lane's lease and a place, once no other runtime has it; nil where the worker is over before.
  private func standBy(isAsked: Bool) async throws -> LedgerLease? {
    var isAsked = isAsked
    while true {
      guard try await !patiently({ try await isOver() }) else { return nil }
      let isRoom = places.take()
      do {
        if isRoom {
          if let lease = try await patiently({ try await lease() }) { return lease }
          places.giveBack()
        } else if isAsked, let lease = try await patiently({ try await lease() }) {
          try await parts.storage.ledger.release(lease)
          throw HostedPlaces.Full(limit: places.limit)
        }
      } catch {
        if isRoom { places.giveBack() }
        throw error
      }
      isAsked = false
      try await parts.clock.sleep(for: Self.renewal)
    }
  }

  private func host(_ make: Maker, _ outbox: HostedOutbox, _ lease: LedgerLease) async throws -> End {
    let (codex, workspace) = try make()
    let hosting = Hosting(
      codex, workspace: workspace, outbox: outbox, session: "runtime-\(parts.holder)", now: parts.now)
    // What an earlier runtime reported about its own codex does not hold any more.
    await outbox.reportHealth("starting")
    let start = try await patiently { try await worker.state().latest }
    return try await withThrowingTaskGroup(of: End.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await keep(lease) }
      group.addTask { try await serve(hosting, after: start) }
      group.addTask {
        try await codex.run { await hosting.take($0) }
        return .closing
      }
      group.addTask { try await beat(hosting) }
      group.addTask {
        try await outbox.run()
        return .closing
      }
      // Whichever ends first ends the rest.
      return try await group.next() ?? .closing
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

  /// Returns once another runtime has the lane. While the ledger is away nobody else can take it.
  private func keep(_ lease: LedgerLease) async throws -> End {
    while true {
      try await parts.clock.sleep(for: Self.renewal)
      do { _ = try await parts.storage.ledger.renew(lease, for: Self.leaseDuration) } catch let error as LedgerError {
        guard case .fenced = error.code else { continue }
        parts.logger.warning("another runtime hosts the worker now", metadata: metadata)
        return .taken
      }
    }
  }

  /// Signs of life while codex is ready. One that the ledger does not take is not made up for: it would be of the past.
  private func beat(_ hosting: Hosting) async throws -> End {
    while true {
      try await parts.clock.sleep(for: Self.heartbeat)
      guard hosting.isReady else { continue }
      let sign: JSONObject = ["source": .string(Self.source), "occurred_at": .string(parts.now().zulu)]
      do {
        _ = try await worker.change { state in
          state.lifecycle.status == .running
            ? [LedgerDraft(type: EventType.heartbeat, payload: JSONText.of(sign))] : []
        }
      } catch let error as LedgerError {
        parts.logger.info("a heartbeat was not stored: \(error)", metadata: metadata)
      }
    }
  }

  /// Has requests performed, each once, and answers handshakes, until the worker is over or the runtime ends.
  private func serve(_ hosting: Hosting, after start: Int64) async throws -> End {
    guard try await !patiently({ try await isOver() }) else { return .over }
    return try await withThrowingDiscardingTaskGroup { group in
      defer { group.cancelAll() }
      var last = start
      var patience = Patience()
      while true {
        do {
          for try await event in parts.storage.feed.follow(StreamNames.events(of: id), after: last) {
            last = event.sequence
            patience.succeeded()
            if event.type == EventType.stopped { return .over }
            if let request = LaneRequest(type: event.type, payload: event.members) {
              if let job = hosting.admit(request) {
                // Never throws: an error is a receipt.
                group.addTask { await hosting.perform(request, job) }
              }
            } else if event.type == EventType.event,
              let handshake = HandshakeMessage(type: event.type, payload: event.members)
            {
              await hosting.answer(handshake)
            }
          }
          return .closing
        } catch let error as LedgerError {
          if case .trimmed(let floor) = error.code {
            parts.logger.error("requests among events \(last + 1) to \(floor) were not read", metadata: metadata)
            last = floor
          } else {
            guard error.isPassing else { throw error }
            try await parts.clock.sleep(for: patience.failed(jitter: .random(in: 0...1)))
          }
        }
      }
    }
  }

  private func isOver() async throws -> Bool {
    switch try await worker.state().lifecycle.status {
    case nil, .stopped, .failed: true
    case .starting, .running, .stopping: false
    }
  }

  /// Repeats what the ledger cannot do for now.
  private func patiently<Result>(_ body: () async throws -> Result) async throws -> Result {
    var patience = Patience()
    while true {
      do {
        return try await body()
      } catch let error as LedgerError where error.isPassing {
        if patience.failures == 0 { parts.logger.warning("a hosted worker waits: \(error)", metadata: metadata) }
        try await parts.clock.sleep(for: patience.failed(jitter: .random(in: 0...1)))
      }
    }
  }

  private var metadata: Logger.Metadata { ["worker_id": "\(id.text)"] }
}
