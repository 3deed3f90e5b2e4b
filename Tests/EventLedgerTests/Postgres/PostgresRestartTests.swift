import EventLedger
import EventLedgerPostgres
import TestSupport
import Testing

/// A server that goes away under load.
@Suite(
  .timeLimit(.minutes(10)), .enabled(if: PostgresCluster.isExpected, "PostgreSQL: Tools/setup --tests installs it"))
struct PostgresRestartTests {
  @Test func nothingIsLostOrStoredTwiceWhenTheServerIsRestarted() async throws {
    let cluster = try PostgresCluster(settings: [])
    defer { cluster.stop() }
    let ledger = try await PostgresEventLedger.open(cluster.url)
    defer { ledger.close() }
    let queue = AppendQueue(ledger, limits: AppendLimits(attempts: 1_000))
    let feed = LedgerFeed(ledger, limits: FeedLimits(failures: 10_000))
    let count = 200
    var leases: [LedgerLease] = []
    for number in 0..<4 { leases.append(try await ledger.lease("s\(number)", to: "one", for: .seconds(1_000))) }
    try await withThrowingTaskGroup(of: Void.self) { [leases] group in
      for lease in leases {
        group.addTask {
          for number in 0..<count {
            let draft = LedgerDraft(type: "n", payload: Array("\(number)".utf8))
            _ = try await queue.append([draft], under: lease, key: "\(number)")
          }
        }
        group.addTask {
          var number = 0
          var cursor: Int64 = 0
          while number < count {
            do {
              for try await event in feed.follow(lease.stream, after: cursor) {
                #expect(event.sequence == cursor + 1 && event.payload == Array("\(number)".utf8))
                cursor = event.sequence
                number += 1
                if number == count { break }
              }
            } catch let error as LedgerError {
              guard case .unavailable = error.code else { throw error }
              await Task.yield()
            }
          }
        }
      }
      group.addTask {
        for _ in 0..<2 { try cluster.restart() }
      }
      try await group.waitForAll()
    }
    for lease in leases { #expect(try await ledger.extent(of: lease.stream).last == Int64(count)) }
    feed.close()
  }
}
