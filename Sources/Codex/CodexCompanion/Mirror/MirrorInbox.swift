import CodexRemoteContract
import CodexWorkersClient
import Crypto
import EventLedger
import JSONService
import Logging
import ResolveKitCore

/// Reads the worker's log: answers handshakes, has requests performed once, and gives each its one receipt.
///
/// The cursor moves past an event when it is dealt with. Where an answer cannot be posted, the event is read again.
actor MirrorInbox {
  struct Services: Sendable {
    let mirror: MirrorConfiguration
    let store: MirrorStore
    let desk: LaneDesk
    let gate: MirrorGate
    let clock: MirrorClock
    let now: @Sendable () -> WallTime
    let logger: Logger
  }

  /// Events that concern nobody, after which the cursor is kept.
  private static let saveInterval = 256
  private static let keptHandshakes = 1_024

  private nonisolated let services: Services
  private let sessionID: String
  private var acknowledged: [String] = []
  private var unsaved = 0

  init(_ services: Services, sessionID: String = LetterID.make("desktop-")) {
    self.services = services
    self.sessionID = sessionID
  }

  /// Reads until the task is cancelled. Throws ``WorkersError`` where the worker has to be registered again.
  nonisolated func run(after cursor: Int64) async throws {
    let mirror = services.mirror
    try await mirror.client.watch(mirror.worker, after: cursor) { try await self.take($0) }
  }

  func take(_ update: WorkerUpdate) async throws -> WorkerUptake {
    switch update {
    case .event(let event): return try await take(event)
    case .lost(let range):
      services.logger.error("events \(range.lowerBound) to \(range.upperBound) of the worker are lost, requests too")
    case .rewound(_, let end):
      services.logger.error("the worker's log was begun anew; it is read from event \(end) on")
      await services.store.note { $0.inbound = end }
    case .snapshot, .link: break
    }
    return .taken
  }

  private func take(_ event: WorkerEvent) async throws -> WorkerUptake {
    let isDone: Bool
    var concernsUs = true
    if let request = LaneRequest(type: event.type, payload: event.payload) {
      isDone = try await take(request)
    } else if case .call(let id, _)? = HandshakeSignal(event) {
      isDone = try await acknowledge(id)
    } else {
      isDone = true
      concernsUs = false
      switch event.type {
      case "worker.stopped":
        services.logger.notice("the worker was stopped; nothing is mirrored until it is taken up again")
        await services.gate.set(isRunning: false)
      case "worker.started": await services.gate.set(isRunning: true)
      default: break
      }
    }
    guard isDone else { return .again }
    await services.store.note { $0.inbound = event.sequence }
    unsaved += 1
    if concernsUs || unsaved >= Self.saveInterval {
      unsaved = 0
      await services.store.save()
    }
    return .taken
  }

  // MARK: handshakes

  private func acknowledge(_ id: String) async throws -> Bool {
    guard !acknowledged.contains(id) else { return true }
    let draft = HandshakeSignal.acknowledgement(id: id, sessionID: sessionID).draft(at: services.now().zulu)
    switch try await post(draft, key: "ack-\(sessionID)-\(Self.digest(id))") {
    case .stored:
      acknowledged.append(id)
      if acknowledged.count > Self.keptHandshakes { acknowledged.removeFirst() }
      services.logger.info("acknowledged a handshake", metadata: ["handshake": "\(ShownText.line(id, limit: 64))"])
      return true
    case .refused: return true
    case .failed: return false
    }
  }

  /// Keys are of visible ASCII and short; a handshake's id is what its sender likes.
  private static func digest(_ id: String) -> String { Hexadecimal.text(SHA256.hash(data: Array(id.utf8)).prefix(16)) }

  // MARK: requests

  private func take(_ request: LaneRequest) async throws -> Bool {
    let store = services.store
    switch await store.book.standing(of: request.id) {
    case .done: return true
    case .ended(let type, let payload): return try await deliver(request, type, payload)
    case .begun where request.method?.isRepeatable == false:
      let refusal = LaneRefusal(
        .internalError,
        "The companion ended while it performed this, so it may have happened; look at the threads before sending it anew."
      )
      return try await end(request, .failure(refusal))
    case .begun, .new: break
    }
    guard !isExpired(request) else { return true }
    try await store.change { $0.begin(request.id) }
    let desk = services.desk
    let result: Result<JSONValue, LaneRefusal>
    do {
      result = .success(try await desk.perform(request))
    } catch {
      try Task.checkCancellation()
      result = .failure(LaneRefusal(error))
    }
    return try await end(request, result)
  }

  /// Whether the runtime has ended it, by the runtime's own clock.
  private func isExpired(_ request: LaneRequest) -> Bool {
    guard let expiry = request.expiry.flatMap(MirrorClock.seconds), services.clock.time >= expiry else { return false }
    let clocks =
      services.clock.lead.map { "by the runtime's clock; this machine's is \(MirrorClock.text($0)) it" }
      ?? "by this machine's clock, as the runtime's is not known yet; where somebody still waited for it, set both"
    services.logger.warning(
      "a request is not begun: it was over when it was read, \(clocks)",
      metadata: ["request": "\(ShownText.line(request.id, limit: 64))"])
    return true
  }

  private func end(_ request: LaneRequest, _ result: Result<JSONValue, LaneRefusal>) async throws -> Bool {
    let receipt = LaneReceipt(result, of: request, source: MirrorEvent.source, at: services.now().zulu)
    // Before it is posted: a repetition has to be the same.
    try await services.store.change { $0.end(request.id, type: receipt.type, payload: receipt.payload) }
    services.logger.notice(
      "performed a request",
      metadata: [
        "request": "\(ShownText.line(request.id, limit: 64))",
        "method": "\(ShownText.line(request.methodName, limit: 40))",
        "end": "\(receipt.type)",
      ])
    return try await deliver(request, receipt.type, receipt.payload)
  }

  private func deliver(_ request: LaneRequest, _ type: String, _ payload: JSONObject) async throws -> Bool {
    switch try await post(WorkerEventDraft(type: type, payload: payload), key: nil) {
    case .stored, .refused:
      try await services.store.change { $0.finish(request.id) }
      return true
    case .failed: return false
    }
  }

  private enum Outcome {
    case stored
    /// It is never taken, or needed no more.
    case refused
    case failed
  }

  private func post(_ draft: WorkerEventDraft, key: String?) async throws -> Outcome {
    do {
      _ = try await services.mirror.client.store(draft, in: services.mirror.worker, key: key)
      return .stored
    } catch let error as WorkersError {
      switch MirrorVerdict(error) {
      case .again: return .failed
      case .stopped:
        await services.gate.set(isRunning: false)
        return .refused
      case .drop: return .refused
      case .startOver: throw error
      }
    }
  }
}
