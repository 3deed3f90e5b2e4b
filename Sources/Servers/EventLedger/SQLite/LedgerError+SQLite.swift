package import GRDB

extension LedgerError {
  /// SQLite's error as the ledger's.
  package init(_ error: DatabaseError) {
    if [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
      self.init(
        .unavailable(mayHaveHappened: false), "Another program holds the ledger's database; try again.", cause: error)
    } else {
      self.init(
        .database,
        "The ledger's database failed: \(error.message ?? error.resultCode.description). Is its disk full, or is it closed?",
        cause: error)
    }
  }
}
