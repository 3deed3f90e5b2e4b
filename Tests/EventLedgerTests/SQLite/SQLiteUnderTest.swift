import EventLedger
import Foundation
import GRDB
import TestSupport

/// A ledger in SQLite, in memory or in a folder of its own that is removed at the end.
final class SQLiteUnderTest: LedgerUnderTest {
  private let clock = ManualClock()
  let database: any DatabaseWriter
  let ledger: any EventLedger
  /// The folder of the database; nil where it is in memory.
  private let folder: URL?

  static func inFile() throws -> SQLiteUnderTest {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return try SQLiteUnderTest(folder: folder)
  }

  static func inMemory() throws -> SQLiteUnderTest { try SQLiteUnderTest(folder: nil) }

  private init(folder: URL?) throws {
    self.folder = folder
    database = try folder.map { try Self.open($0.appending(path: "ledger.sqlite").path) } ?? DatabaseQueue()
    ledger = try SQLiteEventLedger(database, now: Self.now(clock))
  }

  deinit {
    try? database.close()
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }

  /// The database's file.
  var path: String { folder?.appending(path: "ledger.sqlite").path ?? ":memory:" }

  /// A pool as a server has it: durable at every commit. The log is never moved into the database, so that a copy of
  /// both files at any moment is what a killed process would leave.
  static func open(_ path: String) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0") }
    return try DatabasePool(path: path, configuration: configuration)
  }

  func advance(by duration: Duration) { clock.advance(by: duration) }

  func another() async throws -> any EventLedger {
    try SQLiteEventLedger(folder == nil ? database : Self.open(path), now: Self.now(clock))
  }

  func storedRows() async throws -> Int {
    try await database.read { database in
      try Int.fetchOne(
        database, sql: "SELECT (SELECT count(*) FROM ledger_events) + (SELECT count(*) FROM ledger_keys)") ?? -1
    }
  }

  private static func now(_ clock: ManualClock) -> @Sendable () -> WallTime {
    { WallTime(microseconds: 0) + clock.now.offset }
  }
}
