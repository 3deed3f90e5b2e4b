/// The server's own word for why it refused a statement.
struct PostgresRefusal: Error, Equatable {
  /// SQLSTATE (PostgreSQL's appendix A).
  let state: String

  /// Another transaction held a row for too long.
  var isLockTimeout: Bool { state == "55P03" }
  /// Two transactions met, and this one was undone: it may be made again at once.
  var isConflict: Bool { state.hasPrefix("40") }
  /// The server takes no writes: it was demoted, or is about to be.
  var isReadOnly: Bool { state == "25006" }
  /// Out of resources, a conflict, a lock or statement that took too long, a failed connection, a demotion.
  var passes: Bool {
    isLockTimeout || isConflict || isReadOnly || ["53", "57014", "08"].contains { state.hasPrefix($0) }
  }
}
