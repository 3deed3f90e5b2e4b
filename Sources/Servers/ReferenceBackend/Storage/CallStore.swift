package import EventLedger
import ResolveKitCore

/// The model's calls in running turns, and their outcomes: on disk before anybody is asked or answered, so that a
/// call that waits for a person waits on after a restart, or in another process.
package struct CallStore: Sendable {
  /// The fate of a result.
  package enum Delivery: Equatable, Sendable {
    case accepted
    /// The same result came before and was accepted.
    case duplicate
    /// Nobody waits for it: unknown, too late, or answered with another key.
    case notPending
  }

  private let rows: any RowDatabase

  package init(_ rows: any RowDatabase) { self.rows = rows }

  /// Keeps a round before its calls are asked for.
  func begin(_ round: ModelRound, of claim: TurnClaim) async throws {
    try await rows.write { access in
      try TurnStore.check(claim, access)
      try access.run(
        "INSERT INTO rounds (turn_id, number, text, prompt_tokens, completion_tokens) VALUES (?, ?, ?, ?, ?) "
          + "ON CONFLICT DO NOTHING",
        [
          .text(claim.turnID), .integer(Int64(round.number)), .text(JSONValue.string(round.text).jsonText),
          .integer((round.usage?.promptTokens).map { Int64($0) }),
          .integer((round.usage?.completionTokens).map { Int64($0) }),
        ])
      for (position, call) in round.calls.enumerated() {
        try access.run(
          """
          INSERT INTO calls (turn_id, call_id, round, position, name, arguments, timeout_seconds)
          VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
          """,
          [
            .text(claim.turnID), .text(call.id), .integer(Int64(round.number)), .integer(Int64(position)),
            .text(JSONValue.string(call.name).jsonText), .text(call.arguments.jsonText),
            .integer(round.timeouts[call.id].map { Int64($0) }),
          ])
      }
    }
  }

  /// The rounds of a turn, oldest first.
  func rounds(of turnID: String) async throws -> [ModelRound] {
    try await rows.read { access in
      var rounds = try access.run(
        "SELECT number, text, prompt_tokens, completion_tokens FROM rounds WHERE turn_id = ? ORDER BY number",
        [.text(turnID)]
      ).map(Self.round)
      for index in rounds.indices {
        let calls = try access.run(
          """
          SELECT call_id, name, arguments, timeout_seconds FROM calls WHERE turn_id = ? AND round = ? ORDER BY position
          """,
          [.text(turnID), .integer(Int64(rounds[index].number))])
        for row in calls {
          let call = try Self.call(row)
          rounds[index].calls.append(call)
          rounds[index].timeouts[call.id] = row.integer(3).map { Int(clamping: $0) }
        }
      }
      return rounds
    }
  }

  /// Begins to wait for a call: returns the moment at which its time ends, which is `due` where it begins only now, and
  /// its outcome, where that is there already.
  func open(_ callID: String, of claim: TurnClaim, due: WallTime) async throws -> (due: WallTime, outcome: CallOutcome?)
  {
    try await rows.write { access in
      try TurnStore.check(claim, access)
      let row = try access.run(
        """
        UPDATE calls SET due_at = coalesce(due_at, ?) WHERE turn_id = ? AND call_id = ? RETURNING due_at, outcome
        """,
        [.time(due), .text(claim.turnID), .text(callID)]
      ).first
      let known = row?.integer(0).map { WallTime(microseconds: $0) }
      return (known ?? due, try row?.text(1).map { CallOutcome(try JSONValue(parsing: $0)) })
    }
  }

  /// Takes a result, once, and wakes the turn's process.
  package func settle(
    _ call: CallKey, as outcome: CallOutcome, idempotencyKey: String
  ) async throws -> Delivery {
    try await rows.write { access in
      let row = try access.run(
        """
        SELECT calls.outcome, calls.idempotency_key, turns.status FROM calls JOIN turns ON turns.id = calls.turn_id
        WHERE turns.session_id = ? AND turn_id = ? AND call_id = ? AND timeout_seconds IS NOT NULL
        """,
        [.text(call.sessionID), .text(call.turnID), .text(call.callID)]
      ).first
      guard let row else { return .notPending }
      if let accepted = row.text(1) { return accepted == idempotencyKey ? .duplicate : .notPending }
      guard row.text(0) == nil, row.text(2) == TurnStore.Status.running.rawValue else { return .notPending }
      try access.run(
        "UPDATE calls SET outcome = ?, idempotency_key = ? WHERE turn_id = ? AND call_id = ?",
        [.text(outcome.jsonText), .text(idempotencyKey), .text(call.turnID), .text(call.callID)])
      try access.signal(call.turnID)
      return .accepted
    }
  }

  /// The outcome of a call; nil while it is open.
  func outcome(of callID: String, in turnID: String) async throws -> CallOutcome? {
    try await rows.read { try Self.outcome(of: callID, in: turnID, $0) }
  }

  /// Closes a call and returns its outcome: none where it was open, and then it takes no result any more.
  func close(_ callID: String, of claim: TurnClaim) async throws -> CallOutcome {
    try await rows.write { access in
      try TurnStore.check(claim, access)
      if let outcome = try Self.outcome(of: callID, in: claim.turnID, access) { return outcome }
      try access.run(
        "UPDATE calls SET outcome = ? WHERE turn_id = ? AND call_id = ?",
        [.text(CallOutcome.timedOut.jsonText), .text(claim.turnID), .text(callID)])
      return .timedOut
    }
  }

  private static func outcome(of callID: String, in turnID: String, _ access: any RowAccess) throws -> CallOutcome? {
    try access.run(
      "SELECT outcome FROM calls WHERE turn_id = ? AND call_id = ?", [.text(turnID), .text(callID)]
    ).first?.text(0).map { CallOutcome(try JSONValue(parsing: $0)) }
  }

  private static func round(_ row: TableRow) throws -> ModelRound {
    var usage: ModelUsage?
    if let prompt = row.integer(2), let completion = row.integer(3) {
      usage = ModelUsage(promptTokens: Int(prompt), completionTokens: Int(completion))
    }
    return ModelRound(
      number: Int(clamping: row.integer(0) ?? 0), text: try row.json(1).stringValue ?? "", calls: [], timeouts: [:],
      usage: usage)
  }

  private static func call(_ row: TableRow) throws -> ModelToolCall {
    ModelToolCall(
      id: row.text(0) ?? "", name: try row.json(1).stringValue ?? "",
      arguments: try ResolveKitArguments(parsing: row.text(2) ?? "{}"))
  }
}
