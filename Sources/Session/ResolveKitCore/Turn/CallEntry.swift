/// One call's course, from the request to the final outcome of its result.
struct CallEntry: Equatable, Sendable {
  enum Progress: Equatable, Sendable {
    /// Waits for its batch or for a person.
    case waiting
    /// May start as soon as a place is free.
    case approved
    case running
    /// The result is fixed; every delivery sends exactly this.
    case recorded(ResolveKitToolResultPayload, Delivery)
  }

  enum Delivery: Equatable, Sendable {
    case inFlight(attempt: Int)
    case paused(attempt: Int)
    case settled(ResultDelivery)
  }

  /// The consequence of a failed delivery.
  enum FailedDelivery: Equatable, Sendable {
    /// The result goes out with the next stream.
    case waits
    case retries(afterSeconds: Int)
    /// The session is re-created for the sake of this result.
    case renewsSession
    case ends(ResultDelivery)
  }

  let call: ToolCall
  private(set) var progress: Progress = .waiting
  private(set) var status: ToolCallItemStatus = .pendingApproval
  private(set) var deadline: MonotonicNanoseconds
  /// The start of its tool: from then on it has its own time, however long the backend would wait.
  private var startedAt: MonotonicNanoseconds?
  /// The time at which the backend stopped waiting for the call, as far as can be known.
  private(set) var settledAt: MonotonicNanoseconds?
  private(set) var wasDenied = false
  /// The session was re-created for the sake of this result; a second refusal is final.
  private var sessionWasRenewed = false
  /// The progress that the running tool reports.
  private var reported: ResolveKitToolProgress?
  /// The bytes of a settled result as JSON; 0 where it is no longer kept.
  private(set) var resultBytes: Int?

  init(_ call: ToolCall) {
    self.call = call
    deadline = call.arrivedAt
  }

  /// A call of an earlier process as it was left. A start without a result counts as running until it is decided on.
  init(restoring left: SessionImage.Call) {
    self.init(left.call)
    switch left.progress {
    case .waiting: break
    case .intended:
      progress = .running
      status = .running
    case .recorded(let payload, let status):
      progress = .recorded(payload, .paused(attempt: 0))
      self.status = status
    case .settled(let payload, let status, let delivery, let at):
      self.status = status
      settledAt = at
      setSettled(payload, delivery)
    }
  }

  /// Whether the result is not fixed.
  var isUnfinished: Bool {
    switch progress {
    case .waiting, .approved, .running: true
    case .recorded: false
    }
  }

  var isSettled: Bool {
    if case .recorded(_, .settled) = progress { true } else { false }
  }

  /// Whether the result is known to have been sent, and is not kept.
  var isResultForgotten: Bool { isSettled && resultBytes == 0 }

  /// The tool's progress, while it runs.
  var toolProgress: ResolveKitToolProgress? { progress == .running ? reported : nil }

  /// Whether the backend has stopped waiting for a call that a person has not decided on.
  func isOverdue(at now: MonotonicNanoseconds) -> Bool { progress == .waiting && now >= deadline }

  // MARK: The way to the tool

  mutating func approve() { progress = .approved }

  mutating func deny() { wasDenied = true }

  mutating func start(at now: MonotonicNanoseconds) {
    progress = .running
    status = .running
    startedAt = now
  }

  mutating func report(_ progress: ResolveKitToolProgress) { reported = progress }

  /// A run that was cut off may be repeated: the call waits as if it had not started.
  mutating func repeatRun() {
    progress = .waiting
    status = .pendingApproval
  }

  // MARK: Time

  /// The end of the backend's patience, whose clock for this call starts when the one before is settled.
  func deadline(after previousEnd: MonotonicNanoseconds) -> MonotonicNanoseconds {
    let seconds = call.request.timeoutSeconds
    let runEnd = startedAt?.advanced(bySeconds: seconds) ?? .max
    return min(max(call.arrivedAt, previousEnd).advanced(bySeconds: seconds), runEnd)
  }

  mutating func move(to deadline: MonotonicNanoseconds) { self.deadline = deadline }

  /// The backend has stopped waiting at the deadline.
  mutating func expire() { settledAt = deadline }

  // MARK: The result

  /// Fixes the result.
  ///
  /// - Parameter mayDeliver: whether it is sent now; else it goes out with the next stream.
  mutating func record(_ payload: ResolveKitToolResultPayload, _ status: ToolCallItemStatus, mayDeliver: Bool) {
    progress = .recorded(payload, mayDeliver ? .inFlight(attempt: 1) : .paused(attempt: 0))
    self.status = status
  }

  /// Abandons a call that nobody waits for any more.
  mutating func abandon(_ payload: ResolveKitToolResultPayload, reason: String) {
    status = .cancelled(reason)
    settledAt = call.arrivedAt
    setSettled(payload, .abandoned)
  }

  /// Abandons the delivery of a result that nobody waits for any more, whatever its outcome.
  mutating func abandonDelivery() {
    if case .recorded(let payload, _) = progress { setSettled(payload, .abandoned) }
  }

  /// Returns whether it was unknown.
  mutating func settle(_ delivery: ResultDelivery, at now: MonotonicNanoseconds) -> Bool {
    guard case .recorded(let payload, _) = progress, !isSettled else { return false }
    settledAt = settledAt ?? now
    setSettled(payload, delivery)
    return true
  }

  /// Returns the result to send again; nil where none waits for that.
  mutating func retry() -> ResolveKitToolResultPayload? {
    guard case .recorded(let payload, .paused(let attempt)) = progress else { return nil }
    progress = .recorded(payload, .inFlight(attempt: attempt + 1))
    return payload
  }

  /// Returns nil where no delivery was under way. What ends the delivery is left to ``settle(_:at:)``.
  ///
  /// - Parameter limit: tries of one result; 0 where its turn has ended.
  mutating func deliveryFailed(_ failure: RequestFailure, limit: Int, mayDeliver: Bool) -> FailedDelivery? {
    guard case .recorded(let payload, .inFlight(let attempt)) = progress else { return nil }
    switch failure.kind {
    case .transient where !mayDeliver:
      // A stopped machine leaves no deadline behind.
      progress = .recorded(payload, .paused(attempt: attempt))
      return .waits
    case .transient:
      guard attempt < limit else { return .ends(.abandoned) }
      progress = .recorded(payload, .paused(attempt: attempt))
      return .retries(afterSeconds: max(min(1 << min(attempt - 1, 5), 30), failure.retryAfterSeconds ?? 0))
    case .sessionRefused where (failure.status == 401 || failure.status == 403) && !sessionWasRenewed:
      progress = .recorded(payload, .paused(attempt: attempt))
      sessionWasRenewed = true
      return .renewsSession
    case .sessionRefused, .conflict, .final:
      // 404: the backend has stopped waiting. A later "deduplicated" would prove nothing, so it is not tried again.
      return .ends(.refused(failure))
    }
  }

  private mutating func setSettled(_ payload: ResolveKitToolResultPayload, _ delivery: ResultDelivery) {
    progress = .recorded(payload, .settled(delivery))
    resultBytes = resultBytes ?? max(payload.result?.jsonText.utf8.count ?? 0, 1)
  }

  /// Releases a settled result's value.
  mutating func forgetResult() {
    guard case .recorded(let payload, .settled(let delivery)) = progress else { return }
    let rest = ResolveKitToolResultPayload(
      turnID: payload.turnID, idempotencyKey: payload.idempotencyKey, callID: payload.callID, status: .error,
      error: Self.forgotten)
    progress = .recorded(rest, .settled(delivery))
    resultBytes = 0
  }

  private static let forgotten = "The tool ran once for this call. Its result was delivered, and is no longer kept."
}
