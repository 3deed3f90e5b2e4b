import EventLedger
import Synchronization

/// A ledger whose transactions wait until the test lets them go, with an outcome of the test's choice.
final class GatedLedger: EventLedger {
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

  private let ledger: any EventLedger
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

  func lease(_ stream: String, to holder: String, for duration: Duration) async throws -> LedgerLease {
    try await ledger.lease(stream, to: holder, for: duration)
  }

  func renew(_ lease: LedgerLease, for duration: Duration) async throws -> LedgerLease {
    try await ledger.renew(lease, for: duration)
  }

  func release(_ lease: LedgerLease) async throws { try await ledger.release(lease) }

  func abandonedStreams(prefix: String, limit: Int) async throws -> [String] {
    try await ledger.abandonedStreams(prefix: prefix, limit: limit)
  }

  func events(of stream: String, after cursor: Int64, limit: Int) async throws -> [LedgerEvent] {
    try await ledger.events(of: stream, after: cursor, limit: limit)
  }

  func extent(of stream: String) async throws -> LedgerExtent { try await ledger.extent(of: stream) }

  func extents(of streams: [String]) async throws -> [String: LedgerExtent] { try await ledger.extents(of: streams) }

  func trim(_ stream: String, through sequence: Int64) async throws { try await ledger.trim(stream, through: sequence) }

  func delete(_ stream: String) async throws { try await ledger.delete(stream) }

  func sweep(limit: Int) async throws -> Int { try await ledger.sweep(limit: limit) }

  func identity() async throws -> String { try await ledger.identity() }
}
