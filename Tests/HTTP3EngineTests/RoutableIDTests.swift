import TestSupport
import Testing

@testable import HTTP3Engine

/// Connection ids by which load balancers route (QUIC-LB, draft-ietf-quic-load-balancers-21).
@Suite struct RoutableIDTests {
  /// An example of the draft's (§ B): a server's id, a nonce, and an id without its first byte.
  struct Vector: CustomTestStringConvertible {
    var serverID: String
    var nonce: String
    var encrypted: String

    var testDescription: String { serverID }
  }

  static let vectors = [
    Vector(serverID: "ed793a", nonce: "ee080dbf", encrypted: "20b1d07b359d3c"),
    Vector(serverID: "ed793a51d49b8f5fab65", nonce: "ee080dbf48", encrypted: "cc381bc74cb4fbad2823a3d1f8fed2"),
    Vector(serverID: "ed793a51d49b8f5f", nonce: "ee080dbf48c0d1e5", encrypted: "4dd2d05a7b0de9b2b9907afb5ecf8cc3"),
    Vector(
      serverID: "ed793a51d49b8f5fab", nonce: "ee080dbf48c0d1e55d", encrypted: "5779c9cc86beb3a3a4a3ca96fce4bfe0cdbc"),
  ]

  private static let key = bytes("8f95f09245765f80256934e50c66207f")

  private static func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.count, by: 2).compactMap { start in
      UInt8(hex.dropFirst(start).prefix(2), radix: 16)
    }
  }

  @Test(arguments: vectors) func theDraftsExamplesHold(_ vector: Vector) throws {
    let cipher = try BlockCipher(key: Self.key)
    let plain = Self.bytes(vector.serverID) + Self.bytes(vector.nonce)
    let encrypted = RoutableIDs.encrypt(plain, by: cipher)
    #expect(encrypted == Self.bytes(vector.encrypted))
  }

  /// What a load balancer reads of 15 bytes of an id: the network's rounds backwards (§ 5.5.2).
  private static func decrypted(_ id: [UInt8]) throws -> [UInt8] {
    let cipher = try BlockCipher(key: key)
    var left = Array(id[0..<8])
    var right = Array(id[7..<15])
    left[7] &= 0xf0
    right[0] &= 0x0f
    for pass in [4, 3, 2, 1] as [UInt8] {
      let mask = cipher.encrypt((pass % 2 == 1 ? left : right) + [UInt8](repeating: 0, count: 6) + [15, pass])
      for index in 0..<8 {
        if pass % 2 == 1 { right[index] ^= mask[index] } else { left[index] ^= mask[index] }
      }
      left[7] &= 0xf0
      right[0] &= 0x0f
    }
    left[7] |= right[0]
    return left + right.dropFirst()
  }

  @Test(arguments: [true, false]) func eachIDNamesItsServerAndLeadsToItsLoop(_ isEncrypted: Bool) throws {
    let serverID: [UInt8] = [0xed, 0x79, 0x3a]
    let ids = try #require(RoutableIDs(serverID: serverID, number: 5, key: isEncrypted ? Self.key : nil))
    let random = RandomSource(SeededGenerator(seed: 2))
    let steering = LoopSteering(loopCount: 8, multiplier: 0x9e37_79b9)
    var seen = Set<[UInt8]>()
    for loop in 0..<8 {
      for _ in 0..<20 {
        let id = ids.make(16, for: LoopPlace(index: loop, steering: steering), from: random)
        #expect(id.count == 16 && id[0] == 0xaf)
        #expect(steering.loop(of: id) == loop)
        let rest = Array(id.dropFirst())
        let plain = try isEncrypted ? Self.decrypted(rest) : rest
        #expect(plain.prefix(3) == serverID[...])
        seen.insert(id)
      }
    }
    #expect(seen.count == 160)
  }

  @Test func whatHasNoPlaceInAnIDIsRefused() {
    #expect(RoutableIDs(serverID: [], number: 0, key: nil) == nil)
    #expect(RoutableIDs(serverID: [UInt8](repeating: 1, count: 8), number: 0, key: nil) == nil)
    for number in [-1, 7] { #expect(RoutableIDs(serverID: [1], number: number, key: nil) == nil) }
    for count in [0, 15, 17] {
      #expect(RoutableIDs(serverID: [1], number: 0, key: [UInt8](repeating: 1, count: count)) == nil)
    }
    #expect(RoutableIDs(serverID: [UInt8](repeating: 1, count: 7), number: 6, key: Self.key) != nil)
  }

  /// Those of the handshake, of a Retry, and those that a client moves on with.
  @Test func allIDsOfAnEndpointNameTheServer() throws {
    let routing = try #require(RoutableIDs(serverID: [1, 2], number: 3, key: Self.key))
    let pair = try QUICPair.make(server: {
      $0.routing = routing
      $0.addressValidation = .always
    })
    var ids = Set<[UInt8]>()
    pair.onClientDatagram = { datagram in
      let id = datagram[0] & 0x80 == 0 ? datagram[1..<17] : datagram[6..<6 + Int(datagram[5])]
      // The first one is the client's own.
      if id.count == ConnectionID.ownLength { ids.insert(Array(id)) }
      return true
    }
    let stream = TickingStream(on: pair)
    try stream.open()
    #expect(
      pair.client.migrate(to: MigrationTests.path(of: pair, to: MigrationTests.address(1)), .probed, at: pair.now)
        == .started)
    try stream.tick(20, every: MigrationTests.interval)
    try stream.settle()
    #expect(stream.isExact)
    // That of the Retry, one of the handshake, one for the new path.
    #expect(ids.count >= 3)
    for id in ids {
      let plain = try Self.decrypted(Array(id.dropFirst()))
      #expect(id[0] == 0x6f && plain.prefix(2) == [1, 2])
    }
  }
}
