/// The rules by which a worker's log is followed: takes what happens to its stream, and returns actions.
///
/// Pure. Events are applied by their sequence alone: one that came before is dropped, and one that leaves a gap is not
/// believed but asked for again. A cursor that is too old, by status 410 or in its disguise, is taken to where the
/// worker is now, and the loss is reported.
package struct WorkerWatch: Sendable {
  package enum Fact: Sendable {
    case begun
    case opened(transport: String)
    case event(WorkerEvent)
    /// The proxy's `error` event.
    case failed(WorkersError)
    /// The stream ended, gracefully where there is no error.
    ///
    /// - ordered: what the server wants to be waited, by `Retry-After` or `retry`.
    case ended(WorkersError?, ordered: Duration)
    case snapshot(WorkerSnapshot)
    case noSnapshot(WorkersError)
    /// The reader could not deal with the event of this number.
    case notTaken(Int64)
    case signedIn
    /// ``WorkerWatch/deadline`` has passed.
    case due
  }

  package enum Action: Equatable, Sendable {
    /// Opens the stream after this number, with no other one open.
    case open(after: Int64)
    /// Leaves the stream that is open.
    case leave
    case fetchSnapshot
    /// Waits until a person has signed in.
    case signIn
    case report(WorkerUpdate)
    case finish(WorkersError)
  }

  private enum State: Equatable {
    case idle
    /// A poll: since when, whether it brought anything, and over what, once it is open.
    case polling(since: Duration, hasBrought: Bool)
    case pausing(until: Duration)
    /// Waits for a snapshot that says where the log is now.
    case recovering(resumeAfter: Int64?)
    case signedOut
    case finished
  }

  /// A poll that ends gracefully sooner than this, and without an event, counts as failed: else a server that ends each
  /// at once would be asked without a pause.
  static let shortestPoll = Duration.milliseconds(200)
  /// The longest wait that a server may order.
  static let longestOrder = Duration.seconds(300)

  /// The last event that was dealt with.
  package private(set) var applied: Int64
  private let refreshInterval: Duration
  private var state = State.idle
  private var backoff = WorkerBackoff()
  private var nextRefresh: Duration?
  /// The events that were applied when the awaited snapshot was asked for.
  private var asked: Int64?
  /// The log's end at the last look, where the stream had not brought it by then.
  private var behind: Int64?
  /// The event after which the stream left a gap; that it does so again says that there is one.
  private var gap: Int64?

  /// - Parameter cursor: the last event that is known; 0 for all of the log.
  package init(after cursor: Int64, refreshInterval: Duration) {
    applied = max(0, cursor)
    self.refreshInterval = refreshInterval
  }

  /// The time at which ``Fact/due`` is due; nil for never.
  package var deadline: Duration? {
    switch state {
    case .idle, .signedOut, .finished: nil
    case .polling: nextRefresh
    case .pausing(let until): nextRefresh.map { min($0, until) } ?? until
    case .recovering: nextRefresh
    }
  }

  package mutating func handle(
    _ fact: Fact, at now: Duration, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    if case .finished = state { return [] }
    switch fact {
    case .begun: return open(at: now) + refresh(at: now)
    case .opened(let transport): return [.report(.link(.live(transport: transport)))]
    case .event(let event): return take(event, at: now, &generator)
    case .failed(let error): return [.leave] + end(error, .zero, at: now, &generator)
    case .ended(let error, let ordered): return end(error, ordered, at: now, &generator)
    case .snapshot(let snapshot): return take(snapshot, at: now, &generator)
    case .noSnapshot(let error): return failedLook(error, at: now, &generator)
    case .notTaken(let sequence):
      applied = min(applied, max(0, sequence - 1))
      return [.leave] + pause(nil, .zero, at: now, &generator)
    case .signedIn:
      guard case .signedOut = state else { return [] }
      return open(at: now) + refresh(at: now)
    case .due: return due(at: now)
    }
  }

  // MARK: the stream

  private mutating func open(at now: Duration) -> [Action] {
    state = .polling(since: now, hasBrought: false)
    return [.report(.link(.connecting)), .open(after: applied)]
  }

  private mutating func take(
    _ event: WorkerEvent, at now: Duration, _ generator: inout some RandomNumberGenerator
  ) -> [Action] {
    guard case .polling(let since, _) = state, event.sequence > applied else { return [] }
    guard event.sequence == applied + 1 || gap == applied else {
      gap = applied
      return [.leave] + pause(nil, .zero, at: now, &generator)
    }
    let missing = applied + 1..<event.sequence
    applied = event.sequence
    gap = nil
    backoff.succeeded()
    state = .polling(since: since, hasBrought: true)
    return (missing.isEmpty ? [] : [.report(.lost(ClosedRange(missing)))]) + [.report(.event(event))]
  }

  private mutating func end(
    _ error: WorkersError?, _ ordered: Duration, at now: Duration, _ generator: inout some RandomNumberGenerator
  ) -> [Action] {
    guard case .polling(let since, let hasBrought) = state else { return [] }
    guard let error else {
      if hasBrought || now - since >= Self.shortestPoll {
        backoff.succeeded()
        guard ordered > .zero else { return open(at: now) }
        return wait(min(ordered, Self.longestOrder), nil, at: now)
      }
      return pause(nil, ordered, at: now, &generator)
    }
    switch error.code {
    case .signInNeeded: return signOut(error)
    case .staleCursor: return recover(error, at: now)
    case .forbidden, .notFound, .invalid, .unreadable: return finish(error)
    case .conflict, .throttled, .unavailable, .unreachable, .timedOut:
      return pause(error, max(ordered, error.retryAfter ?? .zero), at: now, &generator)
    }
  }

  private mutating func pause(
    _ error: WorkersError?, _ ordered: Duration, at now: Duration, _ generator: inout some RandomNumberGenerator
  ) -> [Action] {
    backoff.failed()
    return wait(max(backoff.delay(using: &generator), min(ordered, Self.longestOrder)), error, at: now)
  }

  private mutating func wait(_ time: Duration, _ error: WorkersError?, at now: Duration) -> [Action] {
    state = .pausing(until: now + time)
    return [.report(.link(.waiting(time, because: error)))]
  }

  private mutating func signOut(_ error: WorkersError) -> [Action] {
    state = .signedOut
    asked = nil
    return [.leave, .report(.link(.signInNeeded(error))), .signIn]
  }

  private mutating func finish(_ error: WorkersError) -> [Action] {
    state = .finished
    return [.leave, .finish(error)]
  }

  private mutating func due(at now: Duration) -> [Action] {
    var actions: [Action] = []
    if case .pausing(let until) = state, until <= now { actions += open(at: now) }
    if let nextRefresh, nextRefresh <= now { actions += refresh(at: now) }
    return actions
  }

  // MARK: snapshots

  private mutating func refresh(at now: Duration) -> [Action] {
    nextRefresh = now + refreshInterval
    guard asked == nil else { return [] }
    asked = applied
    return [.fetchSnapshot]
  }

  private mutating func recover(_ error: WorkersError, at now: Duration) -> [Action] {
    // Runtimes of ours say in the error where the log begins; the contract's own HTTP error does not.
    let resumeAfter = WireObject(error.details).count("resume_after")
    state = .recovering(resumeAfter: resumeAfter)
    return refresh(at: now)
  }

  private mutating func take(
    _ snapshot: WorkerSnapshot, at now: Duration, _ generator: inout some RandomNumberGenerator
  ) -> [Action] {
    guard let known = asked else { return [] }
    asked = nil
    var actions = [Action.report(.snapshot(snapshot))]
    let latest = snapshot.latestSequence
    if latest < known {
      // Events that were applied meanwhile are of the old log as well.
      actions.append(.report(.rewound(from: applied, to: latest)))
      applied = latest
      behind = nil
      return actions + [.leave] + open(at: now)
    }
    switch state {
    case .recovering(let resumeAfter):
      let next = min(max(resumeAfter ?? latest, applied), max(latest, applied))
      guard next > applied else { return actions + pause(nil, .zero, at: now, &generator) }
      actions.append(.report(.lost(applied + 1...next)))
      applied = next
      return actions + open(at: now)
    case .polling:
      if let behind, applied < behind {
        // The stream looks alive and has not brought for a whole interval what was there before it.
        self.behind = nil
        return actions + [.leave] + pause(nil, .zero, at: now, &generator)
      }
      behind = latest > applied ? latest : nil
    case .idle, .pausing, .signedOut, .finished: break
    }
    return actions
  }

  private mutating func failedLook(
    _ error: WorkersError, at now: Duration, _ generator: inout some RandomNumberGenerator
  ) -> [Action] {
    guard asked != nil else { return [] }
    asked = nil
    switch error.code {
    case .signInNeeded: return signOut(error)
    case .forbidden, .notFound: return finish(error)
    case .conflict, .staleCursor, .invalid, .throttled, .unavailable, .unreadable, .unreachable, .timedOut: break
    }
    guard case .recovering = state else {
      if let order = error.retryAfter { nextRefresh = now + max(refreshInterval, min(order, Self.longestOrder)) }
      return []
    }
    return pause(error, error.retryAfter ?? .zero, at: now, &generator)
  }
}
