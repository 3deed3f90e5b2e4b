import EventLedger
import HTTPTypes
import JSONService
import TestSupport
import Testing

@testable import WorkerRuntime

/// Limits on requests, and what counting them costs.
@Suite(.timeLimit(.minutes(5)))
struct RateTests {
  @Test func aFloodOfRequestsIsRefusedWithoutTheLedger() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    try await runtime.makeWorker("w-echo", token: token, adapter: "in_memory", heartbeat: false)
    func ask(_ id: String) async throws -> Int {
      try await runtime.call(
        .post, "w-echo/requests", #"{"request":{"request_id":"\#(id)","method":"thread/list"}}"#, token: token
      ).status
    }
    let user = try #require(try await runtime.core.accounts.book().allUsers.first)
    for minute in 0..<3 {
      for number in 0..<200 { #expect(try await ask("r-\(minute)-\(number)") == (number < 60 ? 200 : 429)) }
      let extent = try await runtime.ledger.extent(of: "requests/\(user.id)")
      #expect(extent.last - extent.floor == 61)
      runtime.time.advance(by: .seconds(60))
    }
  }

  @Test func sourcesAreCountedByNetworkWithinALimit() throws {
    let time = SetTimeOfDay()
    let throttle = SourceThrottle(limit: 2, sourceLimit: 3, now: { time.now })
    func admits(_ address: String) -> Bool {
      do {
        try throttle.admit(SourceAddress(address))
        return true
      } catch { return false }
    }
    #expect(admits("2001:db8::1") && admits("2001:db8::2"))
    #expect(!admits("2001:db8::3"))
    #expect(admits("192.0.2.1") && admits("192.0.2.2"))
    // There is no room for another one until the first minute is over.
    #expect(!admits("192.0.2.3"))
    time.advance(by: .seconds(30))
    #expect(!admits("192.0.2.3") && admits("192.0.2.1") && !admits("192.0.2.1"))
    time.advance(by: .seconds(30))
    #expect(admits("192.0.2.3") && admits("2001:db8::4"))
  }
}
