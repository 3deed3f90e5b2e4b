package import GRDB

/// Accesses that a cancelled task does not begin, and does not break off.
///
/// GRDB interrupts what runs for a task that is cancelled. Where that hits the statement by which a read begins, the one
/// connection of a database in memory stays read-only, and the next write of somebody else fails (GRDB 7.10).
extension DatabaseWriter {
  package func wholeRead<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
  {
    try Task.checkCancellation()
    // `read` of a queue that is closed ends the process (GRDB 7.10), that of a pool throws. A queue's accesses never
    // overlap, so that this one needs no transaction.
    guard self is DatabaseQueue else { return try await Task { try await read(body) }.value }
    return try await Task {
      try await unsafeRead { database in
        guard database.sqliteConnection != nil else {
          throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
        }
        return try body(database)
      }
    }.value
  }

  package func wholeWrite<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
  {
    try Task.checkCancellation()
    return try await Task { try await write(body) }.value
  }
}
