import HTTP3Engine
import Testing

@testable import StreamTransport

/// Admission and eviction under load; each case a script of events and decisions.
@Suite struct LoadPolicyTests {
  private static let (red, green, blue) = (SourcePrefix.v4(1), SourcePrefix.v4(2), SourcePrefix.v6(3))

  private static func ticket(_ number: UInt64) -> LoadTicket { LoadTicket(number: number, member: 0) }

  private static func policy(_ change: (inout HTTP3Limits) -> Void) -> LoadPolicy {
    var limits = HTTP3Limits()
    change(&limits)
    return LoadPolicy(limits)
  }

  /// Connections and half-open requests are limited alike.
  enum Kind: CaseIterable {
    case connections, requests

    var refusals: (inSum: LoadRefusal, ofPrefix: LoadRefusal) {
      switch self {
      case .connections: (.connections, .prefixConnections)
      case .requests: (.requests, .prefixRequests)
      }
    }

    func policy(inSum: Int, ofPrefix: Int) -> LoadPolicy {
      LoadPolicyTests.policy {
        switch self {
        case .connections: ($0.maximumConnections, $0.maximumConnectionsPerPrefix) = (inSum, ofPrefix)
        case .requests: ($0.maximumHalfOpenRequests, $0.maximumHalfOpenRequestsPerPrefix) = (inSum, ofPrefix)
        }
      }
    }

    func begin(_ number: UInt64, _ prefix: SourcePrefix, _ policy: inout LoadPolicy) -> LoadPolicy.Verdict {
      switch self {
      case .connections: policy.connectionBegins(ticket(number), from: prefix)
      case .requests: policy.requestBegins(ticket(number), from: prefix)
      }
    }

    func end(_ number: UInt64, _ prefix: SourcePrefix, _ policy: inout LoadPolicy) {
      switch self {
      case .connections: policy.connectionEnded(ticket(number), from: prefix)
      case .requests: policy.requestEnded(ticket(number), from: prefix)
      }
    }

    func count(_ policy: LoadPolicy) -> Int {
      switch self {
      case .connections: policy.connectionCount
      case .requests: policy.halfOpenRequestCount
      }
    }
  }

  @Test(arguments: [
    (NetworkAddress.IP.v4(0x7f00_0001), SourcePrefix.v4(0x7f00_0001)),
    (.v6(0x2001_0db8_0102_0304, 5, scope: 0), .v6(0x2001_0db8_0102_03)),
    (.v6(0x2001_0db8_0102_03ff, 9, scope: 2), .v6(0x2001_0db8_0102_03)),
    (.v6(0x2001_0db8_0102_0404, 5, scope: 0), .v6(0x2001_0db8_0102_04)),
    // ::ffff:127.0.0.1
    (.v6(0, 0xffff_7f00_0001, scope: 0), .v4(0x7f00_0001)),
    (.v6(0, 1, scope: 0), .v6(0)),
  ])
  func aPrefixIsAnIPv4AddressOrAnIPv6Slash56(_ ip: NetworkAddress.IP, _ prefix: SourcePrefix) {
    #expect(SourcePrefix(NetworkAddress(ip: ip, port: 1)) == prefix)
    #expect(SourcePrefix(NetworkAddress(ip: ip, port: 2)) == prefix)
  }

  @Test(arguments: Kind.allCases) func onePrefixHasItsLimitAndOthersTheirs(_ kind: Kind) {
    var policy = kind.policy(inSum: 10, ofPrefix: 2)
    #expect(kind.begin(1, Self.red, &policy) == .taken)
    #expect(kind.begin(2, Self.red, &policy) == .taken)
    #expect(kind.begin(3, Self.red, &policy) == .refused(kind.refusals.ofPrefix))
    #expect(kind.begin(4, Self.green, &policy) == .taken)
    kind.end(1, Self.red, &policy)
    #expect(kind.begin(5, Self.red, &policy) == .taken)
    #expect(kind.count(policy) == 3)
  }

  @Test(arguments: Kind.allCases) func aNewcomerTakesThePlaceOfTheNewestOfThePrefixThatHasMost(_ kind: Kind) {
    var policy = kind.policy(inSum: 4, ofPrefix: 4)
    for number in 1...3 { #expect(kind.begin(UInt64(number), Self.red, &policy) == .taken) }
    #expect(kind.begin(4, Self.green, &policy) == .taken)
    #expect(kind.begin(5, Self.blue, &policy) == .takenInPlace(of: Self.ticket(3)))
    #expect(kind.count(policy) == 4)
    // What it left counts for nothing any more, also when its end is reported.
    kind.end(3, Self.red, &policy)
    #expect(kind.count(policy) == 4)
  }

  /// Red has one more than the newcomer's would have: another end would only turn the two about.
  @Test(arguments: Kind.allCases) func nobodyMakesRoomForAPrefixThatWouldHaveAsMuch(_ kind: Kind) {
    var policy = kind.policy(inSum: 3, ofPrefix: 3)
    _ = kind.begin(1, Self.red, &policy)
    _ = kind.begin(2, Self.red, &policy)
    _ = kind.begin(3, Self.green, &policy)
    #expect(kind.begin(4, Self.green, &policy) == .refused(kind.refusals.inSum))
    #expect(kind.begin(5, Self.red, &policy) == .refused(kind.refusals.inSum))
    #expect(kind.begin(6, Self.blue, &policy) == .takenInPlace(of: Self.ticket(2)))
    #expect(kind.begin(7, Self.blue, &policy) == .refused(kind.refusals.inSum))
  }

  /// Of two prefixes that have as much, the one with the newest.
  @Test(arguments: Kind.allCases) func ofEqualPrefixesTheOneWithTheNewestMakesRoom(_ kind: Kind) {
    var policy = kind.policy(inSum: 4, ofPrefix: 4)
    _ = kind.begin(1, Self.red, &policy)
    _ = kind.begin(2, Self.green, &policy)
    _ = kind.begin(3, Self.green, &policy)
    _ = kind.begin(4, Self.red, &policy)
    #expect(kind.begin(5, Self.blue, &policy) == .takenInPlace(of: Self.ticket(4)))
  }

  @Test(arguments: Kind.allCases) func aLimitOfNothingAllowsNothing(_ kind: Kind) {
    var policy = kind.policy(inSum: 0, ofPrefix: 5)
    #expect(kind.begin(1, Self.red, &policy) == .refused(kind.refusals.inSum))
    policy = kind.policy(inSum: 5, ofPrefix: -1)
    #expect(kind.begin(1, Self.red, &policy) == .refused(kind.refusals.ofPrefix))
  }

  @Test func roomIsWhatTakesNobodyElses() {
    var policy = Kind.connections.policy(inSum: 3, ofPrefix: 2)
    #expect(policy.hasRoom(for: Self.red))
    _ = policy.connectionBegins(Self.ticket(1), from: Self.red)
    _ = policy.connectionBegins(Self.ticket(2), from: Self.red)
    #expect(!policy.hasRoom(for: Self.red))
    #expect(policy.hasRoom(for: Self.green))
    _ = policy.connectionBegins(Self.ticket(3), from: Self.green)
    #expect(!policy.hasRoom(for: Self.blue))
  }

  // MARK: Memory

  private static func memory(inSum: Int, ofPrefix: Int) -> LoadPolicy {
    policy { ($0.maximumHeldBytes, $0.maximumHeldBytesPerPrefix) = (inSum, ofPrefix) }
  }

  @Test func ofThePrefixThatHoldsMostTheConnectionThatHoldsMostGivesBack() {
    var policy = Self.memory(inSum: 100, ofPrefix: 100)
    #expect(policy.connection(Self.ticket(1), from: Self.red, holds: 20).isEmpty)
    #expect(policy.connection(Self.ticket(2), from: Self.red, holds: 30).isEmpty)
    #expect(policy.connection(Self.ticket(3), from: Self.green, holds: 40).isEmpty)
    // Green's one holds more than either of red's, but red holds more.
    #expect(policy.connection(Self.ticket(4), from: Self.blue, holds: 11) == [Self.ticket(2)])
    #expect(policy.heldBytes == 71)
  }

  @Test func ofEqualConnectionsTheNewestGivesBack() {
    var policy = Self.memory(inSum: 100, ofPrefix: 100)
    _ = policy.connection(Self.ticket(7), from: Self.red, holds: 30)
    _ = policy.connection(Self.ticket(8), from: Self.red, holds: 30)
    #expect(policy.connection(Self.ticket(9), from: Self.green, holds: 41) == [Self.ticket(8)])
  }

  @Test func aPrefixBeyondItsShareGivesBackWhileThereIsEnoughForOthers() {
    var policy = Self.memory(inSum: 100, ofPrefix: 30)
    _ = policy.connection(Self.ticket(1), from: Self.red, holds: 20)
    #expect(policy.connection(Self.ticket(2), from: Self.red, holds: 11) == [Self.ticket(1)])
    #expect(policy.connection(Self.ticket(3), from: Self.green, holds: 30).isEmpty)
  }

  @Test func asManyGiveBackAsItTakes() {
    var policy = Self.memory(inSum: 100, ofPrefix: 100)
    for number in 1...4 { _ = policy.connection(Self.ticket(UInt64(number)), from: Self.red, holds: 20) }
    #expect(policy.connection(Self.ticket(5), from: Self.green, holds: 50) == [Self.ticket(4), Self.ticket(3)])
  }

  @Test func whatIsToGiveBackIsNotAskedTwice() {
    var policy = Self.memory(inSum: 100, ofPrefix: 100)
    _ = policy.connection(Self.ticket(1), from: Self.red, holds: 90)
    #expect(policy.connection(Self.ticket(2), from: Self.green, holds: 20) == [Self.ticket(1)])
    // Its order is on the way.
    #expect(policy.connection(Self.ticket(1), from: Self.red, holds: 95).isEmpty)
    #expect(policy.heldBytes == 20)
    #expect(policy.connection(Self.ticket(1), from: Self.red, keeps: 70).isEmpty)
    #expect(policy.heldBytes == 90)
    #expect(policy.connection(Self.ticket(1), from: Self.red, holds: 85) == [Self.ticket(1)])
    // It has given back too little.
    #expect(policy.connection(Self.ticket(1), from: Self.red, keeps: 84) == [Self.ticket(1)])
  }

  @Test func whatHasEndedHoldsNothing() {
    var policy = Self.memory(inSum: 100, ofPrefix: 100)
    _ = policy.connectionBegins(Self.ticket(1), from: Self.red)
    _ = policy.connection(Self.ticket(1), from: Self.red, holds: 90)
    _ = policy.connection(Self.ticket(2), from: Self.green, holds: 20)
    policy.connectionEnded(Self.ticket(1), from: Self.red)
    #expect(policy.heldBytes == 20)
    #expect(policy.connection(Self.ticket(2), from: Self.green, holds: 100).isEmpty)
    #expect(policy.connectionCount == 0)
  }
}
