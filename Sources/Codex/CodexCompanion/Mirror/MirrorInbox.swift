import CodexRemoteContract
import CodexWorkersClient
import Crypto
import EventLedger
import JSONService
import Logging
import ResolveKitCore

/// Reads the worker's log: answers handshakes, has requests performed once, and gives each its one receipt.
///
/// Requests are performed beside the reading, so that a slow one keeps nothing back. The cursor stays before the first one
/// that has no receipt yet: what is read again after a restart is known by the book.
actor MirrorInbox {
  struct Services: Sendable {
    let mirror: MirrorConfiguration
    let store: MirrorStore
    let desk: LaneDesk
    let gate: MirrorGate
    let clock: MirrorClock
    /// The clock of the wait before a receipt is posted again.
    let timer: any Clock<Duration>
    let now: @Sendable () -> WallTime
    let logger: Logger
  }

  /// Events that concern nobody, after which the cursor is kept.
  private static let saveInterval = 256
  private static let keptHandshakes = 1_024
  /// Requests that are performed or whose receipts wait to be posted; a runtime has fewer of one worker.
  private static let maximumUnderWay = 256

  private nonisolated let services: Services
  private let poster: MirrorPoster
  private let sessionID: String
  private var acknowledged: [String] = []
  private var cursor = MirrorCursor()
  private var unsaved = 0
  private var underWay: [String: Task<Void, Never>] = [:]
  /// Gets the error that ends the reading.
  private var failures: AsyncStream<any Error>.Continuation?

  init(_ services: Services, sessionID: String = LetterID.make("desktop-")) {
    self.services = services
    self.sessionID = sessionID
    poster = MirrorPoster(mirror: services.mirror, gate: services.gate)
  }

  /// Reads until the task is cancelled. Throws ``WorkersError`` where the worker has to be registered again.
  nonisolated func run(after cursor: Int64) async throws {
    let (failures, report) = AsyncStream.makeStream(of: (any Error).self)
    await begin(report)
    let mirror = services.mirror
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await mirror.client.watch(mirror.worker, after: cursor) { try await self.take($0) } }
        group.addTask { for await failure in failures { throw failure } }
        try await group.next()
      }
    } catch {
      await leave()
      throw error
    }
    await leave()
  }

  private func begin(_ failures: AsyncStream<any Error>.Continuation) {
    self.failures = failures
    cursor = MirrorCursor()
  }

  /// Ends what is under way; what has no receipt yet is read again.
  func leave() async {
    for task in underWay.values { task.cancel() }
    await settle()
    failures = nil
  }

  /// Returns when no request is under way.
  func settle() async {
    while let task = underWay.first?.value { await task.value }
  }

  func take(_ update: WorkerUpdate) async throws -> WorkerUptake {
    switch update {
    case .event(let event): return try await take(event)
    case .lost(let range):
      services.logger.error("events \(range.lowerBound) to \(range.upperBound) of the worker are lost, requests too")
    case .rewound(_, let end):
      services.logger.error("the worker's log was begun anew; it is read from event \(end) on")
      cursor.rewind(to: end)
      await services.store.note { $0.inbound = end }
    case .snapshot, .link: break
    }
    return .taken
  }

  private func take(_ event: WorkerEvent) async throws -> WorkerUptake {
    if let request = LaneRequest(type: event.type, payload: event.payload) {
      guard underWay.count < Self.maximumUnderWay else { return .again }
      if try await !begin(request, at: event.sequence) { cursor.read(event.sequence, isOpen: false) }
      await moved(isKept: true)
    } else if case .call(let id, _)? = HandshakeSignal(event) {
      guard try await acknowledge(id) else { return .again }
      cursor.read(event.sequence, isOpen: false)
      await moved(isKept: true)
    } else {
      switch event.type {
      case "worker.stopped":
        services.logger.notice("the worker was stopped; nothing is mirrored until it is taken up again")
        await services.gate.set(isRunning: false)
      case "worker.started": await services.gate.set(isRunning: true)
      default: break
      }
      cursor.read(event.sequence, isOpen: false)
      await moved(isKept: false)
    }
    return .taken
  }

  // MARK: the cursor

  private func moved(isKept: Bool) async {
    guard let value = cursor.value else { return }
    await services.store.note { $0.inbound = value }
    unsaved += 1
    guard isKept || unsaved >= Self.saveInterval else { return }
    unsaved = 0
    await services.store.save()
  }

  // MARK: handshakes

  private func acknowledge(_ id: String) async throws -> Bool {
    guard !acknowledged.contains(id) else { return true }
    let draft = HandshakeSignal.acknowledgement(id: id, sessionID: sessionID).draft(at: services.now().zulu)
    switch try await poster.post(draft, key: "ack-\(sessionID)-\(Self.digest(id))") {
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

  /// Begins a request, or what is left to do of it. Returns false where nothing is.
  private func begin(_ request: LaneRequest, at sequence: Int64) async throws -> Bool {
    // The same one again, before the first has ended.
    guard underWay[request.bookName] == nil else { return false }
    let store = services.store
    switch await store.book.standing(of: request.bookName) {
    case .done: return false
    case .ended(let type, let payload):
      start(request, at: sequence) { try await self.deliver(request, type, payload) }
      return true
    case .begun where request.method?.isRepeatable == false:
      let refusal = LaneRefusal(
        .internalError,
        "The companion ended while it performed this, so it may have happened; look at the threads before sending it anew."
      )
      start(request, at: sequence) { try await self.end(request, .failure(refusal)) }
      return true
    case .begun, .new: break
    }
    guard !isExpired(request) else { return false }
    try await store.change { $0.begin(request.bookName) }
    let job = services.desk.admit(request)
    start(request, at: sequence) { try await self.perform(request, job) }
    return true
  }

  private func start(
    _ request: LaneRequest, at sequence: Int64, _ body: @escaping @Sendable () async throws -> Void
  ) {
    cursor.read(sequence, isOpen: true)
    underWay[request.bookName] = Task {
      do {
        try await body()
        cursor.end(sequence)
        await moved(isKept: true)
      } catch is CancellationError {
        // The cursor stays before it.
      } catch {
        failures?.yield(error)
      }
      underWay[request.bookName] = nil
    }
  }

  private func perform(_ request: LaneRequest, _ job: LaneJob) async throws {
    let result: Result<JSONValue, LaneRefusal>
    do {
      result = .success(try await job.perform())
    } catch {
      try Task.checkCancellation()
      result = .failure(LaneRefusal(error))
    }
    try await end(request, result)
  }

  /// Whether the runtime has ended it, by the runtime's own clock.
  private func isExpired(_ request: LaneRequest) -> Bool {
    guard let expiry = request.expiry.flatMap(MirrorClock.seconds), services.clock.time >= expiry else { return false }
    let clocks =
      services.clock.lead.map { "by the runtime's clock; this machine's is \(MirrorClock.text($0)) it" }
      ?? "by this machine's clock, as the runtime's is not known yet; where a client still waited for it, set both"
    services.logger.warning(
      "a request is not begun: it was over when it was read, \(clocks)",
      metadata: ["request": "\(ShownText.line(request.id, limit: 64))"])
    return true
  }

  private func end(_ request: LaneRequest, _ result: Result<JSONValue, LaneRefusal>) async throws {
    let receipt = LaneReceipt(result, of: request, source: MirrorEvent.source, at: services.now().zulu)
    services.logger.notice(
      "performed a request",
      metadata: [
        "request": "\(ShownText.line(request.id, limit: 64))",
        "method": "\(ShownText.line(request.methodName, limit: 40))",
        "end": "\(receipt?.type ?? "taken")",
      ])
    guard let receipt else { return try await services.store.change { $0.finish(request.bookName) } }
    // Before it is posted: a repetition has to be the same.
    try await services.store.change { $0.end(request.bookName, type: receipt.type, payload: receipt.payload) }
    try await deliver(request, receipt.type, receipt.payload)
  }

  /// Posts a receipt until it is stored, or not needed any more.
  private func deliver(_ request: LaneRequest, _ type: String, _ payload: JSONObject) async throws {
    let draft = WorkerEventDraft(type: type, payload: payload)
    var backoff = WorkerBackoff()
    var generator = SystemRandomNumberGenerator()
    // The runtime knows a receipt by its request; other events it would store once more.
    let key = request.kind == .message ? "refusal-\(Self.digest(request.id))" : nil
    while case .failed(let retryAfter) = try await poster.post(draft, key: key) {
      backoff.failed()
      try await services.timer.sleep(for: max(backoff.delay(using: &generator), retryAfter ?? .zero))
    }
    try await services.store.change { $0.finish(request.bookName) }
  }
}

extension LaneRequest {
  /// The name under which the book has it: a message's id may be that of a request.
  fileprivate var bookName: String {
    switch kind {
    case .request: id
    case .message: "message \(id)"
    }
  }
}
