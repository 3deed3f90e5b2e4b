import EventLedger

/// The result of one of the schema's functions.
enum PostgresOutcome {
  /// It was done; the numbers are those that belong to it.
  case done(Int64, Int64)
  /// It was done before, under the same key.
  case repeated(Int64, Int64)

  /// Throws ``LedgerError`` for a refusal.
  init(_ row: PostgresRow?, stream: String, fence: Int64 = 0, key: String? = nil) throws(LedgerError) {
    guard let row, let word = row.text(0), let first = row.integer(1), let second = row.integer(2) else {
      throw Self.unexpected
    }
    switch word {
    case "ok": self = .done(first, second)
    case "repeat": self = .repeated(first, second)
    case "unknown": throw LedgerError(.unknownStream, "There is no stream '\(stream)'; a lease makes it.")
    case "deleted": throw LedgerError(.deletedStream, "The stream '\(stream)' was deleted; use another name.")
    case "fenced":
      throw LedgerError(
        .fenced,
        "The lease \(fence) on '\(stream)' is over, the stream is at \(first); stop writing, or ask for a lease.")
    case "reused":
      throw LedgerError(.keyReused, "The key '\(key ?? "")' was used for other events; give these another.")
    case "leased":
      let expiry = WallTime(microseconds: first)
      throw LedgerError(
        .leased(until: expiry), "'\(row.text(3) ?? "")' holds the lease on '\(stream)' until \(expiry.zulu).")
    default: throw Self.unexpected
    }
  }

  /// The numbers, whether the work was done now or before.
  var numbers: (Int64, Int64) {
    switch self {
    case .done(let first, let second), .repeated(let first, let second): (first, second)
    }
  }

  static let unexpected = LedgerError(
    .database, "The ledger's functions in PostgreSQL answer in a way that this version does not know; was one replaced?"
  )
}
