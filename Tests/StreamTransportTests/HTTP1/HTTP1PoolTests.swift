import Testing

@testable import StreamTransport

@Suite struct HTTP1PoolTests {
  struct Connection: Identifiable, Equatable { let id: Int }

  @Test func givesTheLastParkedFirst() {
    var pool = HTTP1Pool<Connection>(maximumIdle: 4)
    for id in 1...3 {
      pool.add(Connection(id: id))
      #expect(pool.park(Connection(id: id), at: 0) == nil)
    }
    #expect(pool.takeIdle()?.id == 3)
    #expect(pool.takeIdle()?.id == 2)
    #expect(pool.takeIdle()?.id == 1)
    #expect(pool.takeIdle() == nil)
  }

  @Test func closesTheOldestBeyondTheLimit() {
    var pool = HTTP1Pool<Connection>(maximumIdle: 1)
    pool.add(Connection(id: 1))
    pool.add(Connection(id: 2))
    #expect(pool.park(Connection(id: 1), at: 0) == nil)
    #expect(pool.park(Connection(id: 2), at: 0)?.id == 1)
    #expect(pool.takeIdle()?.id == 2)
  }

  @Test func takesOutWhatHasWaitedForTooLong() {
    var pool = HTTP1Pool<Connection>(maximumIdle: 4)
    for id in 1...3 {
      pool.add(Connection(id: id))
      _ = pool.park(Connection(id: id), at: UInt64(id))
    }
    #expect(pool.removeIdle(before: 3).map(\.id) == [1, 2])
    #expect(pool.takeIdle()?.id == 3)
    #expect(pool.takeIdle() == nil)
  }

  @Test func parkingTwiceKeepsOne() {
    var pool = HTTP1Pool<Connection>(maximumIdle: 4)
    pool.add(Connection(id: 1))
    _ = pool.park(Connection(id: 1), at: 0)
    #expect(pool.park(Connection(id: 1), at: 0) == nil)
    #expect(pool.takeIdle() != nil)
    #expect(pool.takeIdle() == nil)
  }

  @Test func whatIsForgottenIsNotGiven() {
    var pool = HTTP1Pool<Connection>(maximumIdle: 4)
    pool.add(Connection(id: 1))
    _ = pool.park(Connection(id: 1), at: 0)
    pool.forget(1)
    #expect(pool.takeIdle() == nil)
    #expect(pool.any == nil)
    #expect(pool.park(Connection(id: 1), at: 0)?.id == 1)
  }
}
