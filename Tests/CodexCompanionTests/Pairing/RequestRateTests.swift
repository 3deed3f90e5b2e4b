import JSONService
import Testing

@testable import CodexCompanion

@Suite struct RequestRateTests {
  private let rate = RequestRate(burst: 3, interval: .seconds(60))

  @Test func admitsABurstThenOneAnInterval() {
    var account = RequestRate.Account(now: .seconds(1_000))
    for _ in 0..<3 {
      #expect(account.wait(for: rate, now: .seconds(1_000)) <= .zero)
      account.charge(for: rate, now: .seconds(1_000))
    }
    #expect(account.wait(for: rate, now: .seconds(1_000)) == .seconds(60))
    #expect(account.wait(for: rate, now: .seconds(1_060)) <= .zero)
    account.charge(for: rate, now: .seconds(1_060))
    #expect(account.wait(for: rate, now: .seconds(1_060)) == .seconds(60))
    #expect(!account.isClear(now: .seconds(1_239)))
    #expect(account.isClear(now: .seconds(1_240)))
  }

  @Test func sourcesAreAddressesAndNetworks() {
    #expect(SourceAddress("192.0.2.1") == SourceAddress("::ffff:192.0.2.1"))
    #expect(SourceAddress("192.0.2.1") != SourceAddress("192.0.2.2"))
    #expect(SourceAddress("2001:db8::1") == SourceAddress("2001:db8:0:0:ffff::2"))
    #expect(SourceAddress("2001:db8::1") != SourceAddress("2001:db8:0:1::1"))
    #expect(SourceAddress("fe80::1%eth0") == SourceAddress("fe80::1"))
    #expect(SourceAddress("anything") == SourceAddress(""))
  }
}
