import Testing

@testable import HTTP3Engine

/// The limit on packets to an address that is not validated (RFC 9000 § 8.1).
@Suite struct AmplificationLimitTests {
  private let first = NetworkAddress(ip: .v4(0x0a00_0001), port: 40_000)
  private let second = NetworkAddress(ip: .v4(0x0a00_0001), port: 41_000)
  private let now = Timestamp(nanoseconds: 1_000_000_000)

  @Test func theLibraryIsAskedOnceMoreWhenATrialMayHaveFailed() {
    var addresses = ClientAddresses()
    _ = addresses.host(of: second, current: first, currentHost: 0, muchIsInFlight: false)
    func isReached(_ address: NetworkAddress, after seconds: Int) -> Bool {
      addresses.isLimitReached(sendingTo: address, longestTrial: .seconds(4), at: now + .seconds(seconds))
    }
    #expect(!isReached(first, after: 0))
    addresses.didReceive(100, from: second)
    #expect(!isReached(second, after: 0))
    addresses.didSend(300, to: second)
    #expect(isReached(second, after: 0))
    #expect(addresses.verdictDue == now + .seconds(4))
    #expect(isReached(second, after: 3))
    #expect(!isReached(second, after: 4))
    #expect(addresses.verdictDue == now + .seconds(8))
    addresses.didReceive(1, from: second)
    #expect(!isReached(second, after: 5))
    #expect(addresses.verdictDue == nil)
  }
}
