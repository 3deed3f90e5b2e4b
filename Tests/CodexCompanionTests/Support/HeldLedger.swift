import EventLedger
import LedgerModel
import TestSupport

/// A ledger that stores nothing before its gate is open, as on a disk that hangs.
struct HeldLedger: ForwardingLedger {
  let ledger: any EventLedger
  let gate: Gate

  var news: LedgerNews { ledger.news }

  func append(_ appends: [LedgerAppend]) async throws -> [Result<AppendReceipt, LedgerError>] {
    await gate.wait()
    return try await ledger.append(appends)
  }
}
