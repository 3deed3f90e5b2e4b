import EventLedger

/// The requests of a user's present minute, which begins with the first. Pure; times are the ledger's.
struct RateWindow: StreamFold {
  static let length = Duration.seconds(60)
  static let draft = LedgerDraft(type: "request", payload: Array("{}".utf8))

  private(set) var count = 0
  private(set) var end = WallTime(microseconds: 0)
  /// The event that began it.
  private(set) var first: Int64 = 0

  mutating func apply(_ event: LedgerEvent) {
    if event.time >= end {
      count = 0
      end = event.time + Self.length
      first = event.sequence
    }
    count += 1
  }
}
