import Testing

@testable import StreamTransport

@Suite struct HTTP1PoolTests {
  struct Connection: Identifiable, Equatable { let id: Int }

  @Test func givesTheLastParkedFirst() {
    var pool = HTTP1Pool<Connection>(maximumIdle: 4)
    for id in 1...3 {
      pool.add(Connection(id: id))
      #expect(pool.park(Connection(id: id)) == nil)
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
    #expect(pool.park(Connection(id: 1)) == nil)
    #expect(pool.park(Connection(id: 2))?.id == 1)
    #expect(pool.takeIdle()?.id == 2)
  }

  @Test func parkingTwiceKeepsOne() {
    var pool = HTTP1Pool<Connection>(maximumIdle: 4)
    pool.add(Connection(id: 1))
    _ = pool.park(Connection(id: 1))
    #expect(pool.park(Connection(id: 1)) == nil)
    #expect(pool.takeIdle() != nil)
    #expect(pool.takeIdle() == nil)
  }

  @Test func whatIsForgottenIsNotGiven() {
    var pool = HTTP1Pool<Connection>(maximumIdle: 4)
    pool.add(Connection(id: 1))
    _ = pool.park(Connection(id: 1))
    pool.forget(1)
    #expect(pool.takeIdle() == nil)
    #expect(pool.any == nil)
    #expect(pool.park(Connection(id: 1))?.id == 1)
  }
}
