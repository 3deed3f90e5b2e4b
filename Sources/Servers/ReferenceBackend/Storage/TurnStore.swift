package import EventLedger
import ResolveKitCore

/// Turns: which request began which, which is running, and whose it is.
package struct TurnStore: Sendable {
  /// A turn as the database keeps it.
  package struct Record: Equatable, Sendable {
    package var id: String
    package var sessionID: String
    package var requestID: String
    package var status: Status
    /// The fencing number of the claim on it; 0 while nobody has one.
    package var fence: Int64
    /// The last event of the session before its first; nil while nobody has a claim.
    package var base: EventID?
    /// Its end, where that is decided.
    var ending: TurnEnding?
  }

  package enum Status: String, Sendable {
    case running
    case complete
    case failed
    case cancelled
    case interrupted
  }

  /// The outcome of a request for a turn.
  package enum Beginning: Equatable, Sendable {
    case began(turnID: String)
    /// The same request id was accepted before.
    case repeated(turnID: String)
    /// Another turn of the session is running.
    case busy
    /// No more turns may run.
    case full
    /// A person has taken the session over, or it is gone.
    case inactive
  }

  private let rows: any RowDatabase

  private static let columns = "id, session_id, request_id, status, fence, base, ending"

  package init(_ rows: any RowDatabase) { self.rows = rows }

  /// Begins a turn and keeps its message: one transaction decides between first time, repetition and conflict.
  ///
  /// The turns that run are counted before it, or every beginning would be in every other's way: those that come at once
  /// may be a few more than `limit`.
  package func begin(
    _ turnID: String, sessionID: String, requestID: String, text: String, now: WallTime, limit: Int
  ) async throws -> Beginning {
    let running = try await rows.read { access in
      try access.run("SELECT count(*) FROM turns WHERE status = 'running'", []).first?.integer(0) ?? 0
    }
    return try await rows.write { access in
      let known = try access.run(
        "SELECT id FROM turns WHERE session_id = ? AND request_id = ?", [.text(sessionID), .text(requestID)]
      ).first?.text(0)
      // The answer of a database that broke off may be lost, though the turn began.
      if let known { return known == turnID ? .began(turnID: known) : .repeated(turnID: known) }
      let status = try access.run("SELECT status FROM sessions WHERE id = ?", [.text(sessionID)]).first?.text(0)
      guard status == StoredSession.active else { return .inactive }
      guard
        try access.run(
          "SELECT id FROM turns WHERE session_id = ? AND status = 'running'", [.text(sessionID)]
        ).isEmpty
      else { return .busy }
      if running >= limit { return .full }
      try access.run(
        "INSERT INTO turns (id, session_id, request_id, status, created_at) VALUES (?, ?, ?, 'running', ?)",
        [.text(turnID), .text(sessionID), .text(requestID), .time(now)])
      try MessageRow.append(
        sessionID: sessionID, role: MessageRecord.userRole, content: text, now: now, access)
      try access.run("UPDATE sessions SET last_activity_at = ? WHERE id = ?", [.time(now), .text(sessionID)])
      return .began(turnID: turnID)
    }
  }

  package func turn(_ id: String) async throws -> Record? {
    try await rows.read { access in
      try access.run("SELECT \(Self.columns) FROM turns WHERE id = ?", [.text(id)]).first.map(Self.record)
    }
  }

  package func running() async throws -> [Record] {
    try await rows.read { access in
      try access.run("SELECT \(Self.columns) FROM turns WHERE status = 'running' ORDER BY created_at, id", [])
        .map(Self.record)
    }
  }

  /// The running turn of a session.
  func running(in sessionID: String) async throws -> Record? {
    try await rows.read { access in
      try access.run(
        "SELECT \(Self.columns) FROM turns WHERE session_id = ? AND status = 'running'", [.text(sessionID)]
      ).first.map(Self.record)
    }
  }

  /// Running turns of which nobody has taken possession, each with its session: they have just begun, or their process
  /// ended just then.
  func unclaimed() async throws -> [String: String] {
    try await rows.read { access in
      try access.run("SELECT id, session_id FROM turns WHERE status = 'running' AND fence = 0", [])
        .reduce(into: [:]) { turns, row in
          guard let id = row.text(0), let sessionID = row.text(1) else { return }
          turns[id] = sessionID
        }
    }
  }

  /// Takes possession of a running turn under a lease on its session's stream; nil where it is over, or a later lease has
  /// it.
  ///
  /// - Parameter last: the last event of the session.
  func claim(_ turn: Record, under lease: LedgerLease, last: EventID) async throws -> TurnClaim? {
    try await rows.write { access in
      let row = try access.run(
        """
        UPDATE turns SET fence = ?, base = coalesce(base, ?) WHERE id = ? AND status = 'running' AND fence < ?
        RETURNING base
        """, [.integer(lease.fence), .integer(last.number), .text(turn.id), .integer(lease.fence)]
      ).first
      guard let row else { return nil }
      return TurnClaim(
        turnID: turn.id, sessionID: turn.sessionID, requestID: turn.requestID, lease: lease,
        base: EventID(row.integer(0) ?? last.number))
    }
  }

  /// Throws `fenced` where another process has the turn.
  static func check(_ claim: TurnClaim, _ access: any RowAccess) throws {
    let fence = try access.run(
      "SELECT fence FROM turns WHERE id = ? AND status = 'running'", [.text(claim.turnID)]
    ).first?.integer(0)
    guard fence == claim.lease.fence else {
      throw LedgerError(.fenced, "The turn \(claim.turnID) is another process's now, or over; stop it here.")
    }
  }

  /// Asks a running turn to end, whichever process has it; false where none with this id runs.
  func interrupt(_ id: String) async throws -> Bool {
    try await rows.write { access in
      let session = try access.run(
        "SELECT session_id FROM turns WHERE id = ? AND status = 'running'", [.text(id)]
      ).first?.text(0)
      guard let session else { return false }
      return try Self.interrupt(.user, runningIn: session, access) != nil
    }
  }

  /// Asks the running turn of a session to end; returns it, and whether it will report its end; one whose end is
  /// decided will not.
  @discardableResult
  static func interrupt(
    _ interruption: TurnInterruption, runningIn sessionID: String, _ access: any RowAccess
  ) throws -> (turnID: String, isTold: Bool)? {
    let row = try access.run(
      "SELECT id, interruption, ending FROM turns WHERE session_id = ? AND status = 'running'", [.text(sessionID)]
    ).first
    guard let row, let id = row.text(0) else { return nil }
    let earlier = try row.text(1).map { TurnInterruption(try JSONValue(parsing: $0)) }
    try access.run(
      "UPDATE turns SET interruption = ? WHERE id = ?", [.text(interruption.after(earlier).jsonText), .text(id)])
    try access.signal(id)
    return (id, row.text(2) == nil)
  }

  /// The interruption of a turn; nil for none.
  func interruption(of id: String) async throws -> TurnInterruption? {
    try await rows.read { access in
      try access.run("SELECT interruption FROM turns WHERE id = ?", [.text(id)]).first?.text(0)
        .map { TurnInterruption(try JSONValue(parsing: $0)) }
    }
  }

  /// Decides how a turn ends, and keeps what it said: who has seen its last event finds the answer in the history.
  /// Returns the ending that holds, which is another where one was decided before, or a person has taken over meanwhile.
  func settle(_ claim: TurnClaim, _ ending: TurnEnding, now: WallTime) async throws -> TurnEnding {
    try await rows.write { access in
      try Self.check(claim, access)
      let row = try access.run(
        "SELECT ending, interruption FROM turns WHERE id = ?", [.text(claim.turnID)]
      ).first
      if let known = row?.text(0) { return TurnEnding(try JSONValue(parsing: known)) }
      var ending = ending
      if let json = try row?.text(1).map({ try JSONValue(parsing: $0) }), case .escalation = TurnInterruption(json) {
        ending = .interrupted(by: TurnInterruption(json), text: ending.answer ?? "")
      }
      if ending.escalates {
        try access.run(
          "UPDATE sessions SET status = ?, last_activity_at = ? WHERE id = ?",
          [.text(StoredSession.escalated), .time(now), .text(claim.sessionID)])
      }
      if let answer = ending.answer {
        try MessageRow.append(
          sessionID: claim.sessionID, role: MessageRecord.assistantRole, content: answer, now: now, access)
      }
      try access.run("UPDATE turns SET ending = ? WHERE id = ?", [.text(ending.jsonText), .text(claim.turnID)])
      return ending
    }
  }

  /// Gives up the turn lock. Of its calls the keys stay, by which a result that comes again is known.
  func end(_ claim: TurnClaim, as status: Status) async throws {
    try await rows.write { access in
      let known = try access.run("SELECT status, fence FROM turns WHERE id = ?", [.text(claim.turnID)]).first
      // It was ended before, and the answer was lost.
      if known?.text(0) == status.rawValue, known?.integer(1) == claim.lease.fence { return }
      try Self.check(claim, access)
      try access.run("UPDATE turns SET status = ? WHERE id = ?", [.text(status.rawValue), .text(claim.turnID)])
      try access.run(
        "UPDATE calls SET arguments = '{}', outcome = '{}' WHERE turn_id = ?", [.text(claim.turnID)])
      try access.run("DELETE FROM rounds WHERE turn_id = ?", [.text(claim.turnID)])
      try access.signal(claim.turnID)
    }
  }

  private static func record(_ row: TableRow) throws -> Record {
    Record(
      id: row.text(0) ?? "", sessionID: row.text(1) ?? "", requestID: row.text(2) ?? "",
      status: row.text(3).flatMap(Status.init) ?? .interrupted, fence: row.integer(4) ?? 0,
      base: row.integer(5).map { EventID($0) },
      ending: try row.text(6).map { TurnEnding(try JSONValue(parsing: $0)) })
  }
}
