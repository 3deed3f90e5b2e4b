import EventLedger
import LedgerModel
import ReferenceBackend

/// A backend's database whose uses a test watches, and fails by throwing.
final class FaultyDatabase: ForwardingLedger, RowDatabase {
  enum Use {
    /// Of the ledger.
    case ledger
    /// So many events at once.
    case appending(Int)
    case reading
    case writing
    /// In a transaction that writes.
    case wrote(String)
  }

  enum LeaseStep {
    case asked
    case answered
  }

  private let storage: BackendStorage
  private let leasing: @Sendable (LeaseStep) async -> Void
  private let renewing: @Sendable (LedgerLease) async -> Void
  private let watch: @Sendable (Use) throws -> Void

  /// - Parameters:
  ///   - leasing: holds each use of ``lease(_:to:for:)`` up, before it and behind it.
  ///   - renewing: holds the answer of ``renew(_:for:)`` up.
  init(
    _ storage: BackendStorage, leasing: @escaping @Sendable (LeaseStep) async -> Void = { _ in },
    renewing: @escaping @Sendable (LedgerLease) async -> Void = { _ in },
    watch: @escaping @Sendable (Use) throws -> Void
  ) {
    self.storage = storage
    self.leasing = leasing
    self.renewing = renewing
    self.watch = watch
  }

  /// This database as a backend has it.
  ///
  /// - Parameter process: the name of the process, where several have it.
  func storage(of process: String? = nil) -> BackendStorage {
    BackendStorage(ledger: self, rows: self, processName: process) {}
  }

  func read<Value: Sendable>(_ body: @escaping @Sendable (any RowAccess) throws -> Value) async throws -> Value {
    try watch(.reading)
    return try await storage.rows.read(body)
  }

  func write<Value: Sendable>(_ body: @escaping @Sendable (any RowAccess) throws -> Value) async throws -> Value {
    try watch(.writing)
    return try await storage.rows.write { [watch] access in try body(WatchedAccess(access: access, watch: watch)) }
  }

  private struct WatchedAccess: RowAccess {
    let access: any RowAccess
    let watch: @Sendable (Use) throws -> Void

    func run(_ sql: String, _ values: [RowValue]) throws -> [TableRow] {
      try watch(.wrote(sql))
      return try access.run(sql, values)
    }

    func signal(_ topic: String) throws { try access.signal(topic) }
  }

  var ledger: any EventLedger {
    get throws {
      try watch(.ledger)
      return storage.ledger
    }
  }

  var news: LedgerNews { storage.ledger.news }

  func lease(_ stream: String, to holder: String, for duration: Duration) async throws -> LedgerLease {
    await leasing(.asked)
    let result: Result<LedgerLease, any Error>
    do { result = .success(try await ledger.lease(stream, to: holder, for: duration)) } catch {
      result = .failure(error)
    }
    await leasing(.answered)
    return try result.get()
  }

  func renew(_ lease: LedgerLease, for duration: Duration) async throws -> LedgerLease {
    let renewed = try await ledger.renew(lease, for: duration)
    await renewing(lease)
    return renewed
  }

  func append(_ appends: [LedgerAppend]) async throws -> [Result<AppendReceipt, LedgerError>] {
    try watch(.appending(appends.reduce(0) { $0 + $1.drafts.count }))
    return try await ledger.append(appends)
  }
}
