import EventLedger
import Synchronization
import TestSupport
import Testing

/// Deletion while others write: of a person's streams, and of what is too old.
@Suite(.timeLimit(.minutes(10)))
struct LedgerRetentionTests {
  /// The writer neither waits for the whole of a deletion nor loses anything: it has its receipts while there is still
  /// something to free.
  @Test(arguments: LedgerKind.allCases)
  func deletionAndRetentionStallNoAppends(_ kind: LedgerKind) async throws {
    let under = try await kind.make()
    let ledger = under.ledger
    let bulk = Array(repeating: LedgerDraft(type: "x", payload: Array(repeating: 1, count: 64)), count: 1_000)
    let old = try await ledger.lease("old", to: "one", for: .seconds(100))
    for number in 0..<3 {
      let lease = try await ledger.lease("person/\(number)", to: "one", for: .seconds(100))
      for _ in 0..<4 { _ = try await ledger.append(bulk, under: lease, key: nil) }
    }
    for _ in 0..<4 { _ = try await ledger.append(bulk, under: old, key: nil) }
    let writer = try await ledger.lease("busy", to: "one", for: .seconds(100))
    let isSwept = Mutex(false)
    async let steps = { () async throws -> Int in
      for number in 0..<3 { try await ledger.delete("person/\(number)") }
      try await ledger.trim("old", through: 4_000)
      var (steps, misses) = (0, 0)
      // One that is just being written to is passed over.
      while misses < 50 {
        let isDone = try await ledger.sweep(limit: 50) == 0
        (steps, misses) = isDone ? (steps, misses + 1) : (steps + 1, 0)
      }
      isSwept.withLock { $0 = true }
      return steps
    }()
    var during = 0
    var last: Int64 = 0
    while !isSwept.withLock({ $0 }) {
      // In the stream that is being freed, and in another.
      let receipt = try await ledger.append([bulk[0]], under: writer, key: nil)
      _ = try await ledger.append([bulk[0]], under: old, key: nil)
      #expect(receipt.sequences == last + 1...last + 1)
      last += 1
      during += 1
    }
    #expect(try await steps == 320)
    #expect(during >= 10, "\(during) appends in 320 steps")
    #expect(try await ledger.extent(of: "busy") == LedgerExtent(floor: 0, last: last))
    #expect(try await ledger.extent(of: "old") == LedgerExtent(floor: 4_000, last: 4_000 + last))
    #expect(try await ledger.events(of: "old", after: 4_000, limit: 1).first?.sequence == 4_001)
    await #expect(throws: LedgerError.self) { _ = try await ledger.events(of: "person/0", after: 0, limit: 1) }
    withExtendedLifetime(under) {}
  }
}
