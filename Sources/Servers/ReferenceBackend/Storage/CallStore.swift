import EventLedger
import GRDB
import ResolveKitCore

/// The model's calls in running turns, and their outcomes: on disk before anybody is asked or answered, so that a
/// call that waits for a person waits on after a restart.
package struct CallStore: Sendable {
  /// The fate of a result.
  package enum Delivery: Equatable, Sendable {
    case accepted
    /// The same result came before and was accepted.
    case duplicate
    /// Nobody waits for it: unknown, too late, or answered with another key.
    case notPending
  }

  let database: any DatabaseWriter

  package init(_ database: BackendDatabase) {
    self.database = database.writer
  }

  /// Keeps a round before its calls are asked for.
  func begin(_ round: ModelRound, of turnID: String) async throws {
    try await database.wholeWrite { database in
      try database.execute(
        sql: "INSERT INTO rounds VALUES (?, ?, ?, ?, ?)",
        arguments: [
          turnID, round.number, JSONValue.string(round.text).jsonText, round.usage?.promptTokens,
          round.usage?.completionTokens,
        ])
      for (position, call) in round.calls.enumerated() {
        try database.execute(
          sql: """
            INSERT INTO calls (turn_id, call_id, round, position, name, arguments, timeout_seconds)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            turnID, call.id, round.number, position, JSONValue.string(call.name).jsonText, call.arguments.jsonText,
            round.timeouts[call.id],
          ])
      }
    }
  }

  /// The rounds of a turn, oldest first.
  func rounds(of turnID: String) async throws -> [ModelRound] {
    try await database.wholeRead { database in
      var rounds = try Row.fetchAll(
        database, sql: "SELECT * FROM rounds WHERE turn_id = ? ORDER BY number", arguments: [turnID]
      ).map(Self.round)
      for index in rounds.indices {
        let calls = try Row.fetchAll(
          database, sql: "SELECT * FROM calls WHERE turn_id = ? AND round = ? ORDER BY position",
          arguments: [turnID, rounds[index].number])
        for row in calls {
          let call = try Self.call(row)
          rounds[index].calls.append(call)
          rounds[index].timeouts[call.id] = row["timeout_seconds"]
        }
      }
      return rounds
    }
  }

  /// The moment at which a call's time ends: `due` where it begins only now, the one from before the restart else.
  func start(_ call: CallKey, due: WallTime) async throws -> WallTime {
    try await database.wholeWrite { database in
      try database.execute(
        sql: "UPDATE calls SET due_at = coalesce(due_at, ?) WHERE turn_id = ? AND call_id = ?",
        arguments: [due.microseconds, call.turnID, call.callID])
      let known = try Int64.fetchOne(
        database, sql: "SELECT due_at FROM calls WHERE turn_id = ? AND call_id = ?",
        arguments: [call.turnID, call.callID])
      return known.map { WallTime(microseconds: $0) } ?? due
    }
  }

  /// Takes a result, once.
  func settle(_ call: CallKey, as outcome: ToolOutcome, idempotencyKey: String) async throws -> Delivery {
    try await database.wholeWrite { database in
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT calls.outcome, calls.idempotency_key, turns.status FROM calls JOIN turns ON turns.id = calls.turn_id
          WHERE turns.session_id = ? AND turn_id = ? AND call_id = ? AND timeout_seconds IS NOT NULL
          """,
        arguments: [call.sessionID, call.turnID, call.callID])
      guard let row else { return .notPending }
      if let accepted: String = row["idempotency_key"] { return accepted == idempotencyKey ? .duplicate : .notPending }
      guard row["outcome"] == nil as String?, row["status"] == TurnStore.Status.running.rawValue else {
        return .notPending
      }
      try database.execute(
        sql: "UPDATE calls SET outcome = ?, idempotency_key = ? WHERE turn_id = ? AND call_id = ?",
        arguments: [outcome.jsonText, idempotencyKey, call.turnID, call.callID])
      return .accepted
    }
  }

  /// The outcome of a call; nil while it is open.
  func outcome(of call: CallKey) async throws -> ToolOutcome? {
    try await database.wholeRead { try Self.outcome(of: call, $0) }
  }

  /// Closes a call and returns its outcome: none where it was open, and then it takes no result any more.
  func close(_ call: CallKey) async throws -> ToolOutcome {
    try await database.wholeWrite { database in
      if let outcome = try Self.outcome(of: call, database) { return outcome }
      try database.execute(
        sql: "UPDATE calls SET outcome = ? WHERE turn_id = ? AND call_id = ?",
        arguments: [ToolOutcome.timedOut.jsonText, call.turnID, call.callID])
      return .timedOut
    }
  }

  private static func outcome(of call: CallKey, _ database: Database) throws -> ToolOutcome? {
    let text = try String.fetchOne(
      database, sql: "SELECT outcome FROM calls WHERE turn_id = ? AND call_id = ?",
      arguments: [call.turnID, call.callID])
    return try text.map { ToolOutcome(try JSONValue(parsing: $0)) }
  }

  private static func round(_ row: Row) throws -> ModelRound {
    let prompt: Int? = row["prompt_tokens"]
    let completion: Int? = row["completion_tokens"]
    return ModelRound(
      number: row["number"], text: try JSONValue(parsing: row["text"] as String).stringValue ?? "", calls: [],
      timeouts: [:],
      usage: prompt.flatMap { prompt in
        completion.map { ModelUsage(promptTokens: prompt, completionTokens: $0) }
      })
  }

  private static func call(_ row: Row) throws -> ModelToolCall {
    ModelToolCall(
      id: row["call_id"], name: try JSONValue(parsing: row["name"] as String).stringValue ?? "",
      arguments: try ResolveKitArguments(parsing: row["arguments"]))
  }
}
