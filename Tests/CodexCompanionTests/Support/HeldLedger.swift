import EventLedger
import LedgerModel

/// A ledger whose appends a test holds up, as on a disk that hangs.
struct HeldLedger: ForwardingLedger {
  let ledger: any EventLedger
  /// Called before each append.
  let hold: @Sendable () async -> Void

  var news: LedgerNews { ledger.news }

  func append(_ appends: [LedgerAppend]) async throws -> [Result<AppendReceipt, LedgerError>] {
    await hold()
    return try await ledger.append(appends)
  }
}
