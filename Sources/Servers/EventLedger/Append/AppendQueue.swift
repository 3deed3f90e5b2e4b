import Synchronization

/// Gathers the appends of many writers into few transactions.
///
/// Appends that come while others are written share the next transaction, so that under load one flush of the disk
/// serves many; a lone append is written at once. Each caller waits for its own events and has its own receipt or error:
/// a lease that was lost fails its own appends alone. Appends of one stream are stored in the order of the calls.
///
/// A caller that is cancelled while its append waits takes it back, and throws `CancellationError`; what is being
/// written is completed.
package final class AppendQueue: Sendable {
  private struct Waiting {
    let append: LedgerAppend
    let continuation: CheckedContinuation<AppendReceipt, any Error>
  }

  private struct State {
    var core: AppendCore
    var waiting: [Int: Waiting] = [:]
  }

  private let state: Mutex<State>
  private let ledger: any EventLedger
  private let clock: any Clock<Duration>

  package init(
    _ ledger: any EventLedger, limits: AppendLimits = AppendLimits(), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.ledger = ledger
    self.clock = clock
    state = Mutex(State(core: AppendCore(limits: limits)))
  }

  /// Appends and bytes that wait.
  package var load: (appends: Int, bytes: Int) { state.withLock { ($0.core.appends, $0.core.bytes) } }

  /// Appends in order, all or none, as ``EventLedger/append(_:under:key:)`` does.
  ///
  /// Throws `exhausted` where too much waits already. A failure of the database that may pass is tried again, where it is
  /// known that nothing was stored, or the append has a key by which the ledger finds it. Without a key, `unavailable`
  /// tells that it may have been stored.
  package func append(_ drafts: [LedgerDraft], under lease: LedgerLease, key: String?) async throws -> AppendReceipt {
    let append = LedgerAppend(drafts, under: lease, key: key)
    try append.check()
    try Task.checkCancellation()
    let number = state.withLock { $0.core.nextNumber() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        do {
          try state.withLock { state in
            // The handler below has run, or will after this: it takes the same lock.
            try Task.checkCancellation()
            try state.core.add(number, bytes: append.bytes, hasKey: key != nil)
            state.waiting[number] = Waiting(append: append, continuation: continuation)
          }
          writeNext()
        } catch { continuation.resume(throwing: error) }
      }
    } onCancel: {
      let taken = state.withLock { $0.core.remove(number) ? $0.waiting.removeValue(forKey: number) : nil }
      taken?.continuation.resume(throwing: CancellationError())
    }
  }

  private func writeNext() {
    let batch = state.withLock { state in
      state.core.nextBatch().map { $0.compactMap { number in state.waiting[number].map { (number, $0.append) } } }
    }
    if let batch { Task { await write(batch) } }
  }

  private func write(_ batch: [(number: Int, append: LedgerAppend)]) async {
    do {
      let results = try await ledger.append(batch.map(\.append))
      state.withLock { $0.core.written() }
      for (entry, result) in zip(batch, results) { finish(entry.number, result.mapError { $0 }) }
      for entry in batch.dropFirst(results.count) {
        finish(entry.number, .failure(LedgerError(.database, "The ledger gave no result for an append; report this.")))
      }
    } catch {
      let failure = state.withLock { $0.core.failed((error as? LedgerError)?.code) }
      for number in failure.refused { finish(number, .failure(error)) }
      if failure.pause > .zero {
        try? await clock.sleep(for: failure.pause)
        state.withLock { $0.core.resume() }
      }
    }
    writeNext()
  }

  private func finish(_ number: Int, _ result: Result<AppendReceipt, any Error>) {
    state.withLock { $0.waiting.removeValue(forKey: number) }?.continuation.resume(with: result)
  }
}
