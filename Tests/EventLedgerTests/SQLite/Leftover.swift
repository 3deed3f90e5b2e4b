import EventLedger
import Foundation
import GRDB
import TestSupport
import Testing

/// A database's file and its write-ahead log, as they were at a moment.
struct Leftover {
  private let database: Data
  private let log: Data

  /// The database's file does not change while its log is not moved into it, and the log grows only at its end.
  init(of path: String) throws {
    database = try Data(contentsOf: URL(filePath: path))
    log = try Data(contentsOf: URL(filePath: path + "-wal"))
  }

  private init(database: Data, log: Data) {
    self.database = database
    self.log = log
  }

  /// The same with a log that ends anywhere after what stood in an earlier one.
  func truncated(after earlier: Leftover, using random: inout SeededGenerator) -> Leftover {
    let end = Int.random(in: min(earlier.log.count, log.count)...log.count, using: &random)
    return Leftover(database: database, log: log.prefix(end))
  }

  /// Opens a copy, and looks for gaps, for appends in part, and for what was acknowledged.
  func check(_ acknowledged: [String: LedgerExtent]) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "leftover-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "ledger.sqlite").path
    try database.write(to: URL(filePath: path))
    try log.write(to: URL(filePath: path + "-wal"))
    let pool = try SQLiteUnderTest.open(path)
    let ledger = try SQLiteEventLedger(pool)
    for stream in ["a", "b", "c"] {
      let extent = try await ledger.extent(of: stream)
      if let known = acknowledged[stream] { #expect(extent.last >= known.last) }
      var events: [LedgerEvent] = []
      while true {
        let page = try await ledger.events(of: stream, after: events.last?.sequence ?? 0, limit: 100)
        if page.isEmpty { break }
        events += page
      }
      #expect(events.map(\.sequence) == (0..<extent.last).map { $0 + 1 })
      var rest = events[...]
      while let size = rest.first?.payload.first {
        #expect(rest.prefix(Int(size)).count == Int(size), "an append is there in part")
        #expect(rest.prefix(Int(size)).allSatisfy { $0.payload.first == size })
        rest = rest.dropFirst(Int(size))
      }
    }
    let lease = try await ledger.lease("a", to: "one", for: .seconds(1))
    _ = try await ledger.append([LedgerDraft(type: "t", payload: [1])], under: lease, key: nil)
    try pool.close()
  }
}
