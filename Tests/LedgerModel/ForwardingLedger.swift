package import EventLedger

/// A ledger that another one does the work of: a test's own overrides what it wants to watch, hold up, or fail.
package protocol ForwardingLedger: EventLedger {
  /// The other one; throws where a use is to fail.
  var ledger: any EventLedger { get throws }
}

extension ForwardingLedger {
  package func lease(_ stream: String, to holder: String, for duration: Duration) async throws -> LedgerLease {
    try await ledger.lease(stream, to: holder, for: duration)
  }

  package func renew(_ lease: LedgerLease, for duration: Duration) async throws -> LedgerLease {
    try await ledger.renew(lease, for: duration)
  }

  package func release(_ lease: LedgerLease) async throws { try await ledger.release(lease) }

  package func abandonedStreams(prefix: String, limit: Int) async throws -> [String] {
    try await ledger.abandonedStreams(prefix: prefix, limit: limit)
  }

  package func append(_ appends: [LedgerAppend]) async throws -> [Result<AppendReceipt, LedgerError>] {
    try await ledger.append(appends)
  }

  package func events(of stream: String, after cursor: Int64, limit: Int) async throws -> [LedgerEvent] {
    try await ledger.events(of: stream, after: cursor, limit: limit)
  }

  package func extent(of stream: String) async throws -> LedgerExtent { try await ledger.extent(of: stream) }

  package func extents(of streams: [String]) async throws -> [String: LedgerExtent] {
    try await ledger.extents(of: streams)
  }

  package func trim(_ stream: String, through sequence: Int64) async throws {
    try await ledger.trim(stream, through: sequence)
  }

  package func delete(_ stream: String) async throws { try await ledger.delete(stream) }

  package func sweep(limit: Int) async throws -> Int { try await ledger.sweep(limit: limit) }

  package func identity() async throws -> String { try await ledger.identity() }
}
