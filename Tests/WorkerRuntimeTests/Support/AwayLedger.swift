import EventLedger
import LedgerModel
import Synchronization

/// A ledger that is away for as long as a test says.
final class AwayLedger: ForwardingLedger {
  /// What happens to an append while it is away.
  enum Loss: Sendable, CaseIterable {
    /// Nothing is stored.
    case ofRequests
    /// It is stored, and the answer is lost.
    case ofAnswers
  }

  private let whole: any EventLedger
  private let loss: Loss
  private let state = Mutex<(isAway: Bool, refused: Int)>((false, 0))

  init(_ ledger: any EventLedger, loss: Loss = .ofRequests) {
    whole = ledger
    self.loss = loss
  }

  /// The number of questions that were not answered.
  var refused: Int { state.withLock { $0.refused } }

  func set(isAway: Bool) { state.withLock { $0.isAway = isAway } }

  private func pass() throws {
    let isAway = state.withLock { state in
      if state.isAway { state.refused += 1 }
      return state.isAway
    }
    if isAway { throw LedgerError(.unavailable(mayHaveHappened: loss == .ofAnswers), "The database is away.") }
  }

  var news: LedgerNews { whole.news }

  var ledger: any EventLedger {
    get throws {
      try pass()
      return whole
    }
  }

  func append(_ appends: [LedgerAppend]) async throws -> [Result<AppendReceipt, LedgerError>] {
    if loss == .ofRequests { try pass() }
    let results = try await whole.append(appends)
    try pass()
    return results
  }
}
