import Testing

@testable import HTTP3Engine

/// The hosts under which a server's library knows its clients' addresses.
@Suite struct ClientAddressesTests {
  private static let ips: [NetworkAddress.IP] = [
    .v4(0), .v4(0x0a00_0001), .v4(.max), .v6(0, 1, scope: 0), .v6(0xfe80_0000_0000_0000, 7, scope: 3),
    .v6(.max, .max, scope: 0),
  ]

  private let first = NetworkAddress(ip: .v4(0x0a00_0001), port: 40_000)
  private let port = NetworkAddress(ip: .v4(0x0a00_0001), port: 41_000)
  private let host = NetworkAddress(ip: .v4(0x0a00_0007), port: 40_000)

  @Test(arguments: ips)
  func theLibraryReturnsWhatItWasGiven(_ ip: NetworkAddress.IP) {
    let path = NetworkPath(
      local: NetworkAddress(ip: ip, port: 443), remote: NetworkAddress(ip: ip, port: 40_000))
    for host in 0...ClientAddresses.Host.max {
      let (back, number) = path.withCPath(host: host) { (NetworkPath($0.pointee), NetworkPath.host(in: $0.pointee)) }
      #expect(back == path)
      #expect(number == host)
      #expect((path.remote.at(host) == path.remote) == (host == 0))
    }
  }

  @Test func onlyAPortWithMuchInFlightIsAnotherHosts() {
    var addresses = ClientAddresses()
    #expect(addresses.host(of: first, current: first, currentHost: 0, muchIsInFlight: true) == 0)
    #expect(addresses.host(of: host, current: first, currentHost: 0, muchIsInFlight: true) == 0)
    let other = addresses.host(of: port, current: first, currentHost: 0, muchIsInFlight: true)
    #expect(other != 0)
    var quiet = ClientAddresses()
    #expect(quiet.host(of: port, current: first, currentHost: 9, muchIsInFlight: false) == 9)
  }

  @Test func anAddressStaysWhatItWasUntilItIsLeft() {
    var addresses = ClientAddresses()
    let other = addresses.host(of: port, current: first, currentHost: 0, muchIsInFlight: true)
    for muchIsInFlight in [false, true] {
      _ = addresses.host(of: first, current: port, currentHost: other, muchIsInFlight: muchIsInFlight)
      #expect(addresses.lastHost(of: port) == nil)
      #expect(addresses.host(of: port, current: first, currentHost: 0, muchIsInFlight: muchIsInFlight) == other)
      #expect(addresses.lastHost(of: port) == other)
    }
    addresses.didLeave(port, for: 0)
    let another = addresses.host(of: port, current: first, currentHost: 0, muchIsInFlight: false)
    #expect(another != other && another != 0)
  }

  /// Numbers come round again, after junk from hundreds of ports.
  @Test func noTwoAddressesAreOfOneInventedHost() {
    var addresses = ClientAddresses()
    let other = addresses.host(of: port, current: first, currentHost: 0, muchIsInFlight: true)
    for number in 1...1_000 as ClosedRange<UInt16> {
      let stranger = NetworkAddress(ip: first.ip, port: 10_000 + number)
      let host = addresses.host(of: stranger, current: port, currentHost: other, muchIsInFlight: true)
      #expect(host != 0 && host != other)
    }
  }

  /// The current address is the library's to know; others are new again.
  @Test func strangersTakeTheirTurns() {
    var addresses = ClientAddresses()
    let other = addresses.host(of: port, current: first, currentHost: 0, muchIsInFlight: true)
    for number in 1...100 as ClosedRange<UInt16> {
      let stranger = NetworkAddress(ip: .v4(0x0b00_0000), port: number)
      _ = addresses.host(of: stranger, current: port, currentHost: other, muchIsInFlight: true)
    }
    #expect(addresses.host(of: port, current: port, currentHost: other, muchIsInFlight: true) == other)
  }

  @Test func whatMayBeSentToANewAddressIsSpentToTheByte() {
    var addresses = ClientAddresses()
    _ = addresses.host(of: first, current: first, currentHost: 0, muchIsInFlight: false)
    #expect(!addresses.hasUnproven && !addresses.isSpent(first))
    _ = addresses.host(of: host, current: first, currentHost: 0, muchIsInFlight: false)
    addresses.didReceive(40, from: host)
    #expect(addresses.hasUnproven && !addresses.isSpent(host))
    addresses.didSend(100, to: host)
    #expect(!addresses.isSpent(host))
    addresses.didSend(20, to: host)
    #expect(addresses.isSpent(host) && !addresses.isSpent(first))
    addresses.didReceive(1, from: host)
    #expect(!addresses.isSpent(host))
    // No more than the library allows leaves, so the address has been proven.
    addresses.didSend(4, to: host)
    #expect(!addresses.hasUnproven && !addresses.isSpent(host))
  }

  /// The way back is a new one, and strangers do not take from an address what was proven of it.
  @Test func anAddressThatWasLeftHasToBeProvenAgain() {
    var addresses = ClientAddresses()
    _ = addresses.host(of: first, current: first, currentHost: 0, muchIsInFlight: false)
    _ = addresses.host(of: host, current: first, currentHost: 0, muchIsInFlight: false)
    addresses.didProve(host)
    #expect(!addresses.hasUnproven)
    addresses.didLeave(first, for: 0)
    _ = addresses.host(of: first, current: host, currentHost: 0, muchIsInFlight: false)
    #expect(addresses.isSpent(first))
    for number in 1...20 as ClosedRange<UInt16> {
      let stranger = NetworkAddress(ip: first.ip, port: 10_000 + number)
      _ = addresses.host(of: stranger, current: host, currentHost: 0, muchIsInFlight: false)
    }
    _ = addresses.host(of: host, current: host, currentHost: 0, muchIsInFlight: false)
    #expect(!addresses.isSpent(host))
  }
}
