import EventLedger
import LedgerModel
import Synchronization

/// A ledger whose transactions wait until the test lets them go, with an outcome of the test's choice.
final class GatedLedger: ForwardingLedger {
  enum Outcome {
    case written
    /// The transaction fails, after or before it was committed.
    case fails(LedgerError, isStored: Bool)
  }

  private struct State {
    var batches: [[LedgerAppend]] = []
    var gates: [CheckedContinuation<Outcome, Never>] = []
    var watchers: [CheckedContinuation<[LedgerAppend], Never>] = []
  }

  let ledger: any EventLedger
  private let state = Mutex(State())

  init(_ ledger: any EventLedger) {
    self.ledger = ledger
  }

  /// The next transaction, once it waits.
  func nextBatch() async -> [LedgerAppend] {
    await withCheckedContinuation { continuation in
      let batch = state.withLock { state -> [LedgerAppend]? in
        if !state.batches.isEmpty { return state.batches.removeFirst() }
        state.watchers.append(continuation)
        return nil
      }
      if let batch { continuation.resume(returning: batch) }
    }
  }

  func letGo(_ outcome: Outcome = .written) {
    state.withLock { $0.gates.isEmpty ? nil : $0.gates.removeFirst() }?.resume(returning: outcome)
  }

  func append(_ appends: [LedgerAppend]) async throws -> [Result<AppendReceipt, LedgerError>] {
    let outcome = await withCheckedContinuation { gate in
      let watcher = state.withLock { state -> CheckedContinuation<[LedgerAppend], Never>? in
        state.gates.append(gate)
        guard state.watchers.isEmpty else { return state.watchers.removeFirst() }
        state.batches.append(appends)
        return nil
      }
      watcher?.resume(returning: appends)
    }
    switch outcome {
    case .written: return try await ledger.append(appends)
    case .fails(let error, let isStored):
      if isStored { _ = try await ledger.append(appends) }
      throw error
    }
  }

  var news: LedgerNews { ledger.news }
}
