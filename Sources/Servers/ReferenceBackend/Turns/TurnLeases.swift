package import EventLedger

/// Leases on the streams of sessions: whose a session's turn is.
package struct TurnLeases: Sendable {
  private let ledger: any EventLedger
  private let holder: String
  /// The longest time that a turn is without an owner.
  let duration: Duration
  /// Whether other processes have turns too.
  let isShared: Bool

  /// A process that has the database to itself is the only holder there is, and takes up at once what a former one left.
  private static let onlyHolder = "backend"
  /// The time for which a process has a stream for an event outside a turn.
  private static let visit = Duration.seconds(5)

  /// - Parameter name: distinguishes this process from all others; nil where it has the database to itself.
  package init(_ ledger: any EventLedger, name: String?, duration: Duration) {
    self.ledger = ledger
    holder = name ?? Self.onlyHolder
    isShared = name != nil
    // Where nobody else asks for it, a lease need not be renewed.
    self.duration = name == nil ? .seconds(100 * 365 * 86_400) : duration
  }

  /// The lease on a session's stream for a turn; nil while another turn or process has it, for as long as `patience` lasts.
  ///
  /// A holder may take what it has: under one name for all its turns a process that looks for a turn which is over by then
  /// would take the stream from the next one.
  func take(_ sessionID: String, forTurn turnID: String, patience: Duration) async throws -> LedgerLease? {
    try await take(sessionID, to: isShared ? "\(holder)/\(turnID)" : holder, for: duration, patience: patience)
  }

  /// The lease for one event that is of no turn; nil while another has it.
  func visit(_ sessionID: String, as visitor: String) async throws -> LedgerLease? {
    try await take(sessionID, to: "visitor/\(visitor)", for: Self.visit, patience: .zero)
  }

  private func take(
    _ sessionID: String, to holder: String, for duration: Duration, patience: Duration
  ) async throws -> LedgerLease? {
    let end = ContinuousClock.now + patience
    var pause = GrowingPause()
    while true {
      do { return try await ledger.lease(SessionLog.stream(of: sessionID), to: holder, for: duration) } catch let error
        as LedgerError
      {
        guard case .leased = error.code else { throw error }
        guard ContinuousClock.now < end else { return nil }
      }
      try await Task.sleep(for: pause.next())
    }
  }

  /// Extends a lease. Throws `fenced` where another process has the turn.
  func renew(_ lease: LedgerLease) async throws {
    if isShared { _ = try await ledger.renew(lease, for: duration) }
  }

  /// Finds out, by extending its lease, whether a turn is this process's. Throws `fenced` where another process has it.
  ///
  /// An answer that comes when the lease's time may be over again proves nothing, as to a process that was halted
  /// meanwhile: it is asked for once more. What the process does next may come late all the same, if it is halted then.
  func prove(_ lease: LedgerLease, clock: any Clock<Duration>) async throws {
    guard isShared else { return }
    for _ in 0..<2 {
      let time = try await clock.measure { try await renew(lease) }
      if time < duration { return }
    }
    throw LedgerError(
      .unavailable(mayHaveHappened: true),
      "The database takes longer to answer than a turn's lease lasts; try again later.")
  }

  /// The turn is over. Where this fails, the process that finds the lease expired ends it.
  func release(_ lease: LedgerLease) async { try? await ledger.release(lease) }

  /// Lets others take the turn at once.
  func handOver(_ lease: LedgerLease) async {
    if isShared { _ = try? await ledger.renew(lease, for: .zero) }
  }

  /// Sessions whose leases expired: their processes are gone.
  func abandonedSessions() async throws -> [String] {
    try await ledger.abandonedStreams(prefix: SessionLog.prefix, limit: 100).compactMap(SessionLog.sessionID)
  }
}
