package import EventLedger

/// A backend's durable state: its sessions' events in a ledger, all else in tables beside them.
package struct BackendStorage: Sendable {
  package let ledger: any EventLedger
  package let rows: any RowDatabase
  /// A name that distinguishes this process from others on the same database; nil where it has the database to itself.
  let processName: String?
  /// Ends all reading and writing.
  package let close: @Sendable () throws -> Void

  package init(
    ledger: any EventLedger, rows: any RowDatabase, processName: String?, close: @escaping @Sendable () throws -> Void
  ) {
    self.ledger = ledger
    self.rows = rows
    self.processName = processName
    self.close = close
  }
}
