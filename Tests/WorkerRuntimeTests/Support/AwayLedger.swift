import EventLedger
import Synchronization

/// A ledger that is away for as long as a test says.
final class AwayLedger: EventLedger {
  /// What happens to an append while it is away.
  enum Loss: Sendable, CaseIterable {
    /// Nothing is stored.
    case ofRequests
    /// It is stored, and the answer is lost.
    case ofAnswers
  }

  private let ledger: any EventLedger
  private let loss: Loss
  private let state = Mutex<(isAway: Bool, refused: Int)>((false, 0))

  init(_ ledger: any EventLedger, loss: Loss = .ofRequests) {
    self.ledger = ledger
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

  var news: LedgerNews { ledger.news }

  func events(of stream: String, after cursor: Int64, limit: Int) async throws -> [LedgerEvent] {
    try pass()
    return try await ledger.events(of: stream, after: cursor, limit: limit)
  }

  func extents(of streams: [String]) async throws -> [String: LedgerExtent] {
    try pass()
    return try await ledger.extents(of: streams)
  }

  func lease(_ stream: String, to holder: String, for duration: Duration) async throws -> LedgerLease {
    try pass()
    return try await ledger.lease(stream, to: holder, for: duration)
  }

  func renew(_ lease: LedgerLease, for duration: Duration) async throws -> LedgerLease {
    try pass()
    return try await ledger.renew(lease, for: duration)
  }

  func release(_ lease: LedgerLease) async throws {
    try pass()
    try await ledger.release(lease)
  }

  func abandonedStreams(prefix: String, limit: Int) async throws -> [String] {
    try pass()
    return try await ledger.abandonedStreams(prefix: prefix, limit: limit)
  }

  func append(_ appends: [LedgerAppend]) async throws -> [Result<AppendReceipt, LedgerError>] {
    if loss == .ofRequests { try pass() }
    let results = try await ledger.append(appends)
    try pass()
    return results
  }

  func extent(of stream: String) async throws -> LedgerExtent {
    try pass()
    return try await ledger.extent(of: stream)
  }

  func trim(_ stream: String, through sequence: Int64) async throws {
    try pass()
    try await ledger.trim(stream, through: sequence)
  }

  func delete(_ stream: String) async throws {
    try pass()
    try await ledger.delete(stream)
  }

  func sweep(limit: Int) async throws -> Int {
    try pass()
    return try await ledger.sweep(limit: limit)
  }

  func identity() async throws -> String {
    try pass()
    return try await ledger.identity()
  }
}
