package import EventLedger
import Synchronization

/// The model behind the ledgers' protocol, so that the ledgers' conformance suite runs on it.
package final class ModelEventLedger: EventLedger {
  private let model: Mutex<LedgerModel>
  private let now: @Sendable () -> WallTime
  package let news = LedgerNews()

  package init(now: @escaping @Sendable () -> WallTime) {
    model = Mutex(LedgerModel())
    self.now = now
  }

  /// Events and keys that are stored, dropped ones too.
  package var storedRows: Int { model.withLock { $0.storedRows } }

  package func lease(_ stream: String, to holder: String, for duration: Duration) async throws -> LedgerLease {
    try model.withLock { try $0.lease(stream, to: holder, for: duration, at: now()) }
  }

  package func renew(_ lease: LedgerLease, for duration: Duration) async throws -> LedgerLease {
    try model.withLock { try $0.renew(lease, for: duration, at: now()) }
  }

  package func release(_ lease: LedgerLease) async throws { model.withLock { $0.release(lease) } }

  package func abandonedStreams(prefix: String, limit: Int) async throws -> [String] {
    model.withLock { $0.abandonedStreams(prefix: prefix, limit: limit, at: now()) }
  }

  package func append(_ appends: [LedgerAppend]) async throws -> [Result<AppendReceipt, LedgerError>] {
    let results = model.withLock { model in
      appends.map { append in
        Result { () throws(LedgerError) in try model.append(append, at: now()) }
      }
    }
    for (append, result) in zip(appends, results) {
      guard case .success(let receipt) = result else { continue }
      news.post(.appended(stream: append.lease.stream, last: receipt.sequences.upperBound))
    }
    return results
  }

  package func events(of stream: String, after cursor: Int64, limit: Int) async throws -> [LedgerEvent] {
    try model.withLock { try $0.events(of: stream, after: cursor, limit: limit) }
  }

  package func extent(of stream: String) async throws -> LedgerExtent {
    try model.withLock { try $0.extent(of: stream) }
  }

  package func extents(of streams: [String]) async throws -> [String: LedgerExtent] {
    model.withLock { $0.extents(of: streams) }
  }

  package func trim(_ stream: String, through sequence: Int64) async throws {
    let floor = try model.withLock { try $0.trim(stream, through: sequence) }
    news.post(.trimmed(stream: stream, floor: floor))
  }

  package func delete(_ stream: String) async throws {
    try model.withLock { try $0.delete(stream) }
    news.post(.deleted(stream: stream))
  }

  package func sweep(limit: Int) async throws -> Int { model.withLock { $0.sweep(limit: limit) } }

  package func identity() async throws -> String { "model" }
}
