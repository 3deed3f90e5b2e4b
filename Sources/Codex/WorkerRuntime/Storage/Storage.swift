import EventLedger

/// The ledger as the runtime uses it: appends gathered, streams followed.
struct Storage: Sendable {
  /// The name under which all runtimes ask for leases; see ``SharedStream``.
  static let holder = "workers"

  let ledger: any EventLedger
  let appends: AppendQueue
  let feed: LedgerFeed

  init(_ ledger: any EventLedger, clock: any Clock<Duration>) {
    self.ledger = ledger
    appends = AppendQueue(ledger, clock: clock)
    feed = LedgerFeed(ledger, clock: clock)
  }
}
