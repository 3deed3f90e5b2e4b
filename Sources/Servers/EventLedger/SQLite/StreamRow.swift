import GRDB

/// A stream as the database has it.
struct StreamRow {
  let id: Int64
  let last: Int64
  let floor: Int64
  let fence: Int64
  let holder: String
  let expiry: WallTime?

  /// Throws ``LedgerError`` where there is none, or none any more.
  init(_ name: String, _ database: Database) throws {
    try LedgerLimits.check(stream: name)
    guard let row = try Row.fetchOne(database, sql: "SELECT * FROM ledger_streams WHERE name = ?", arguments: [name])
    else { throw LedgerError(.unknownStream, "There is no stream '\(name)'; a lease makes it.") }
    guard row["is_deleted"] == 0 else {
      throw LedgerError(.deletedStream, "The stream '\(name)' was deleted; use another name.")
    }
    id = row["id"]
    last = row["last"]
    floor = row["floor"]
    fence = row["fence"]
    holder = row["holder"]
    expiry = (row["expires_at"] as Int64?).map { WallTime(microseconds: $0) }
  }

  /// Throws ``LedgerError`` where a later lease was given.
  func check(_ lease: LedgerLease) throws(LedgerError) {
    guard lease.fence == fence else {
      throw LedgerError(
        .fenced,
        "The lease \(lease.fence) on '\(lease.stream)' is over, the stream is at \(fence); stop writing, or ask for a lease."
      )
    }
  }
}
