import Foundation
import HTTP3Engine
import TestSupport
import Testing

@testable import StreamTransport

/// Sockets that share an address: the kernel's choice among them, by the program that it runs.
@Suite struct SteeredSocketTests {
  /// Sockets in the order in which they joined, and a peer of theirs.
  private struct Group {
    let steering: LoopSteering
    var sockets: [UDPSocket]
    let peer: UDPSocket

    init(_ count: Int, at literal: String, multiplier: UInt32 = 0x9e37_79b9) throws {
      steering = LoopSteering(loopCount: count, multiplier: multiplier)
      let first = try UDPSocket(bindingTo: try #require(NetworkAddress(literal: literal, port: 0)))
      try first.share()
      sockets = [first]
      while sockets.count < count { sockets.append(try UDPSocket(bindingTo: first.localAddress, joining: true)) }
      try sockets[count - 1].steer(steering)
      let isWildcard = literal == "::"
      peer = try UDPSocket(connectingTo: isWildcard ? .loopback(port: first.localAddress.port) : first.localAddress)
    }

    /// The socket that a datagram comes to; nil where it does not come. Loopback may take a moment on a busy machine.
    func arrival(of bytes: [UInt8]) -> Int? {
      guard peer.send(bytes) == .done else { return nil }
      var entries = sockets.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
      guard poll(&entries, nfds_t(entries.count), 60_000) > 0 else { return nil }
      // Not by the socket's own method, which passes over what is too short for QUIC.
      guard let index = entries.firstIndex(where: { $0.revents != 0 }) else { return nil }
      var buffer = [UInt8](repeating: 0, count: 2_048)
      let count = recv(sockets[index].number, &buffer, buffer.count, 0)
      return Array(buffer.prefix(max(count, 0))) == bytes ? index : nil
    }

    func loop(of bytes: [UInt8]) -> Int { bytes.withUnsafeBytes { steering.loop(of: $0) } }
  }

  /// Datagrams of 1 to 60 random bytes, with short and long headers.
  private static func datagrams(_ count: Int, seed: UInt64) -> [[UInt8]] {
    let random = RandomSource(SeededGenerator(seed: seed))
    return (0..<count).map { random.bytes(1 + $0 % 60) }
  }

  /// Any bytes, of any length.
  @Test(arguments: ["127.0.0.1", "::1", "::"], [2, 3, 5])
  func theKernelChoosesByTheSameRuleAsTheServer(_ literal: String, _ count: Int) throws {
    let group = try Group(count, at: literal)
    var seen = Set<Int>()
    for bytes in Self.datagrams(300, seed: UInt64(count)) {
      #expect(group.arrival(of: bytes) == group.loop(of: bytes), "\(bytes)")
      seen.insert(group.loop(of: bytes))
    }
    #expect(seen.count == count)
  }

  /// The last one takes the place of one that is closed, and what has no socket any more comes to some other.
  @Test func aSocketThatClosesChangesTheIndices() throws {
    var group = try Group(3, at: "127.0.0.1")
    group.sockets.removeFirst().close()
    var came: [Int: Set<Int>] = [:]
    for bytes in Self.datagrams(300, seed: 5) {
      let socket = try #require(group.arrival(of: bytes))
      came[group.loop(of: bytes), default: []].insert(socket + 1)
    }
    #expect(came[0] == [2])
    #expect(came[1] == [1])
    #expect(came[2]?.isSubset(of: [1, 2]) == true)
  }

  @Test func anAddressThatIsTakenIsNotShared() throws {
    let group = try Group(2, at: "127.0.0.1")
    let alone = try UDPSocket(bindingTo: .loopback(port: 0))
    for (address, joining) in [(group.sockets[0].localAddress, false), (alone.localAddress, true)] {
      let error = #expect(throws: SystemError.self) { _ = try UDPSocket(bindingTo: address, joining: joining) }
      #expect(error?.number == EADDRINUSE)
    }
  }

  @Test func aSocketThatSharesNothingIsNotSteered() throws {
    let alone = try UDPSocket(bindingTo: .loopback(port: 0))
    #expect(throws: SystemError.self) { try alone.steer(LoopSteering(loopCount: 2, multiplier: 1)) }
  }
}
