import EventLedger
import EventLedgerPostgres
import Synchronization
import TestSupport
import Testing

/// Tables beside a ledger are the same, whatever the database.
@Suite(.timeLimit(.minutes(10)))
struct RowDatabaseTests {
  private struct Refused: Error {}

  /// A ledger, which lasts as long as this does, and the tables beside it.
  private struct House {
    let under: any LedgerUnderTest
    let rows: any RowDatabase
  }

  private func make(_ kind: LedgerKind) async throws -> House {
    let under = try await kind.make()
    let rows: any RowDatabase
    if let ledger = under.ledger as? SQLiteEventLedger {
      rows = ledger.rows
    } else {
      rows = try #require(under.ledger as? PostgresEventLedger).rows
    }
    try await rows.write { access in
      try access.run("CREATE TABLE counts (name TEXT PRIMARY KEY, count BIGINT, note TEXT)", [])
      try access.run("INSERT INTO counts (name, count, note) VALUES (?, ?, ?)", [.text("a"), .integer(0), .text(nil)])
    }
    return House(under: under, rows: rows)
  }

  private func count(_ rows: any RowDatabase) async throws -> Int64? {
    try await rows.read { try $0.run("SELECT count FROM counts WHERE name = ?", [.text("a")]).first?.integer(0) }
  }

  @Test(arguments: LedgerKind.databases)
  func valuesComeBackAsTheyWere(_ kind: LedgerKind) async throws {
    let house = try await make(kind)
    let rows = house.rows
    let written: [RowValue] = [.text("ü “?”\n"), .integer(.min), .text("8 bytes.")]
    let returned = try await rows.write { access in
      try access.run("INSERT INTO counts (name, count, note) VALUES (?, ?, ?) RETURNING count", written)
    }
    #expect(returned.map { $0.integer(0) } == [.min])
    let row = try await rows.read {
      try $0.run("SELECT name, count, note FROM counts ORDER BY count LIMIT 1", []).first
    }
    #expect(row?.text(0) == "ü “?”\n" && row?.integer(1) == .min && row?.text(2) == "8 bytes.")
    #expect(row?.integer(0) == nil && row?.text(1) == nil && row?.text(3) == nil)
    let first = try await rows.read { try $0.run("SELECT note, count FROM counts WHERE name = ?", [.text("a")]).first }
    #expect(first?.text(0) == nil && first?.integer(1) == 0)
  }

  @Test(arguments: LedgerKind.databases)
  func transactionsThatMeetAreAsIfAlone(_ kind: LedgerKind) async throws {
    let house = try await make(kind)
    let rows = house.rows
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await rows.write { access in
            let count = try access.run("SELECT count FROM counts WHERE name = 'a'", []).first?.integer(0) ?? 0
            try access.run("UPDATE counts SET count = ? WHERE name = 'a'", [.integer(count + 1)])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await count(rows) == 20)
  }

  @Test(arguments: LedgerKind.databases)
  func whatFailsIsUndoneAndReportedToNobody(_ kind: LedgerKind) async throws {
    let house = try await make(kind)
    let rows = house.rows
    let heard = Mutex<[LedgerChange]>([])
    let subscription = house.under.ledger.news.subscribe { change in heard.withLock { $0.append(change) } }
    await #expect(throws: Refused.self) {
      try await rows.write { access in
        try access.run("UPDATE counts SET count = 9", [])
        try access.signal("undone")
        throw Refused()
      }
    }
    await #expect(throws: LedgerError.self) {
      try await rows.write { access in
        try access.run("UPDATE counts SET count = 9", [])
        try access.run("INSERT INTO counts (name, count) VALUES ('a', 1)", [])
      }
    }
    #expect(try await count(rows) == 0)
    try await rows.write { access in
      try access.run("UPDATE counts SET count = 1", [])
      try access.signal("done")
    }
    #expect(try await count(rows) == 1)
    let signals = heard.withLock { $0 }.filter { if case .signalled = $0 { true } else { false } }
    #expect(Set(signals.map { "\($0)" }) == ["\(LedgerChange.signalled(topic: "done"))"])
    withExtendedLifetime(subscription) {}
  }
}
