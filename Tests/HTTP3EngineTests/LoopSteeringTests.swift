import TestSupport
import Testing

@testable import HTTP3Engine

/// The rule by which a server's loops share out its datagrams and make their connection ids.
@Suite struct LoopSteeringTests {
  private static func loop(of datagram: [UInt8], _ steering: LoopSteering) -> Int {
    datagram.withUnsafeBytes { steering.loop(of: $0) }
  }

  /// A packet for an id, with a short and with a long header.
  private static func packets(for id: [UInt8]) -> [[UInt8]] {
    [[0x40] + id + [1, 2, 3], [0xc0, 0, 0, 0, 1, UInt8(id.count)] + id + [8, 1, 2, 3]]
  }

  @Test(arguments: [1, 2, 3, 7, 64], [1, 0x9e37_79b9, .max] as [UInt32])
  func anIDThatIsDirectedToALoopLeadsThere(_ count: Int, _ multiplier: UInt32) {
    let steering = LoopSteering(loopCount: count, multiplier: multiplier)
    let random = RandomSource(SeededGenerator(seed: UInt64(count)))
    let samples = (0..<200).map { _ in random.bytes(16) } + [0x00, 0xff].map { [UInt8](repeating: $0, count: 16) }
    for loop in 0..<count {
      for sample in samples {
        var id = sample
        LoopPlace(index: loop, steering: steering).claim(&id)
        #expect(Self.packets(for: id).map { Self.loop(of: $0, steering) } == [loop, loop])
        #expect(id[..<4] == sample[..<4] && id[8...] == sample[8...])
      }
    }
  }

  @Test func anIDThatLeadsToItsLoopStaysAsItIs() {
    let steering = LoopSteering(loopCount: 5, multiplier: 0x1234_5678)
    let random = RandomSource(SeededGenerator(seed: 3))
    for _ in 0..<100 {
      let id = random.bytes(8)
      var directed = id
      steering.direct(&directed, to: Self.loop(of: Self.packets(for: id)[0], steering))
      #expect(directed == id)
    }
    for length in 0..<8 {
      var id = random.bytes(length)
      let before = id
      steering.direct(&id, to: 4)
      #expect(id == before)
    }
  }

  /// Clients choose their first ids at random.
  @Test(arguments: [2, 3, 7]) func randomIDsAreSharedOutEvenly(_ count: Int) {
    let random = RandomSource(SeededGenerator(seed: 11))
    for multiplier in [0x9e37_79b9, 0x0000_0003, 0xdead_beef, 0xffff_ffff] as [UInt32] {
      let steering = LoopSteering(loopCount: count, multiplier: multiplier)
      var connections = [Int](repeating: 0, count: count)
      for _ in 0..<20_000 {
        connections[Self.loop(of: [0xc0, 0, 0, 0, 1, 18] + random.bytes(18), steering)] += 1
      }
      for share in connections { #expect(abs(share * count - 20_000) < 2_000, "\(multiplier): \(connections)") }
    }
  }

  @Test func whatIsTooShortForAnIDIsTheFirstLoops() {
    let steering = LoopSteering(loopCount: 64, multiplier: 0x9e37_79b9)
    #expect(Self.loop(of: [], steering) == 0)
    for length in 1...8 { #expect(Self.loop(of: [UInt8](repeating: 0x40, count: length), steering) == 0) }
    for length in 1...13 { #expect(Self.loop(of: [UInt8](repeating: 0xc1, count: length), steering) == 0) }
    #expect(Self.loop(of: [UInt8](repeating: 0x40, count: 9), steering) != 0)
    #expect(Self.loop(of: [UInt8](repeating: 0xc1, count: 14), steering) != 0)
  }

  // MARK: An endpoint

  /// Those of the handshake, of a Retry, and those that a client moves on with.
  @Test(arguments: [AddressValidationPolicy.always, .whenBusy(handshakes: 100)])
  func allIDsOfAnEndpointLeadToItsLoop(_ policy: AddressValidationPolicy) throws {
    let place = LoopPlace(index: 37, steering: LoopSteering(loopCount: 64, multiplier: 0x9e37_79b9))
    let pair = try QUICPair.make(server: {
      $0.place = place
      $0.addressValidation = policy
    })
    var (ids, loops) = (Set<[UInt8]>(), Set<Int>())
    pair.onClientDatagram = { datagram in
      let id = datagram[0] & 0x80 == 0 ? datagram[1..<17] : datagram[6..<6 + Int(datagram[5])]
      // The first one is the client's own.
      guard id.count == ConnectionID.ownLength else { return true }
      ids.insert(Array(id))
      loops.insert(Self.loop(of: datagram, place.steering))
      return true
    }
    let stream = TickingStream(on: pair)
    try stream.open()
    for host in 1...3 as ClosedRange<UInt32> {
      let new = MigrationTests.path(of: pair, to: MigrationTests.address(host))
      #expect(pair.client.migrate(to: new, .probed, at: pair.now) == .started)
      try stream.tick(20, every: MigrationTests.interval)
      #expect(pair.client.currentPath == new)
    }
    try stream.settle()
    #expect(stream.isExact && stream.connectionCount == 1)
    #expect(loops == [37])
    // One of the handshake, one for each new path, and that of the Retry.
    #expect(ids.count >= (policy == .always ? 5 : 4))
  }

  @Test func theIDOfAPreferredAddressLeadsToItsLoop() throws {
    let place = LoopPlace(index: 37, steering: LoopSteering(loopCount: 64, multiplier: 0x9e37_79b9))
    let preferred = PreferredAddressTests.preferred
    let pair = try QUICPair.make(server: {
      $0.place = place
      $0.preferredAddresses = [preferred]
    })
    var loops: [NetworkAddress: Set<Int>] = [:]
    let client = RequestClient(on: pair)
    let server = EchoServer(on: pair)
    let next = pair.onClient
    pair.onClient = { event in
      if case .handshakeCompleted = event {
        pair.client.usePreferredAddress(
          NetworkPath(local: NetworkAddress(ip: .v4(0x0a00_0001), port: 41_000), remote: preferred))
      }
      next(event)
    }
    pair.onClientDatagram = { datagram in
      guard datagram[0] & 0x80 == 0, let remote = pair.client.currentPath?.remote else { return true }
      loops[remote, default: []].insert(Self.loop(of: datagram, place.steering))
      return true
    }
    client.send("GET", "/bytes/200000")
    try pair.run { client.isDone }
    #expect(loops[preferred] == [37])
    withExtendedLifetime(server) {}
  }

  /// No two connections of a server have one key, whichever loops they are on.
  @Test func keysOfDifferentLoopsDiffer() throws {
    let place = LoopPlace(index: 1, steering: LoopSteering(loopCount: 3, multiplier: 1))
    let pair = try QUICPair.make(server: { $0.place = place })
    let server = EchoServer(on: pair)
    for _ in 0..<3 {
      let client = RequestClient(on: pair)
      try pair.run { client.handshake != nil }
      try pair.run(for: .seconds(1))
      try pair.replaceClient(QUICPair.clientConfiguration())
    }
    #expect(server.keys.map(\.rawValue) == [1, 4, 7])
  }
}
