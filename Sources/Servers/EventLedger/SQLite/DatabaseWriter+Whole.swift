package import GRDB

/// Accesses that a cancelled task does not begin, and does not break off.
///
/// GRDB interrupts what runs for a task that is cancelled. Where that hits the statement by which a read begins, the one
/// connection of a database in memory stays read-only, and the next write of somebody else fails (GRDB 7.10).
extension DatabaseWriter {
  package func wholeRead<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
  {
    try Task.checkCancellation()
    return try await Task { try await read(body) }.value
  }

  package func wholeWrite<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
  {
    try Task.checkCancellation()
    return try await Task { try await write(body) }.value
  }
}
