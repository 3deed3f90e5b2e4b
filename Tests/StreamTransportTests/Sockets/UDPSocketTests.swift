import Foundation
import HTTP3Engine
import Testing

@testable import StreamTransport

@Suite struct UDPSocketTests {
  struct Arrival: Equatable {
    var bytes: [UInt8]
    var path: NetworkPath
    var ecn: ECNCodepoint
  }

  /// Waits until the socket has a datagram or an error to tell. Loopback mostly delivers within the send call; a busy
  /// machine's kernel may leave that to a thread of its own (ksoftirqd).
  func hasNews(_ socket: UDPSocket) -> Bool {
    var entry = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 60_000) > 0
  }

  /// Receives until `count` datagrams have come, or an error.
  func arrivals(
    at socket: UDPSocket, expecting count: Int = 1, slotSize: Int = UDPSocket.slotSize, slots: Int = 16
  ) -> ([Arrival], UDPSocket.ReceiveOutcome) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: slots * slotSize, alignment: 16)
    defer { buffer.deallocate() }
    var found: [Arrival] = []
    while true {
      if found.count < count, !hasNews(socket) { return (found, .drained) }
      let outcome = socket.receive(into: buffer, slotSize: slotSize) {
        found.append(Arrival(bytes: Array($0), path: $1, ecn: $2))
      }
      if case .failed = outcome { return (found, outcome) }
      if found.count >= count { return (found, outcome) }
    }
  }

  @Test func whatFindsTheReceiveBufferFullIsCounted() throws {
    let server = try UDPSocket(bindingTo: try #require(NetworkAddress(literal: "127.0.0.1", port: 0)))
    let client = try UDPSocket(connectingTo: server.localAddress)
    #expect(server.takeKernelDrops() == 0)
    let datagram = [UInt8](repeating: 1, count: 1_000)
    // One by one, as the kernel counts joined ones once. A buffer has some megabytes at most.
    let sent = 20_000
    for _ in 0..<sent { #expect(client.send(datagram, segmentSize: 1_000, ecn: .notECT) == .done) }
    var (received, dropped) = (0, 0)
    while received + dropped < sent, hasNews(server) {
      received += arrivals(at: server, expecting: 1).0.count
      dropped += Int(server.takeKernelDrops())
    }
    #expect(dropped > 0 && received > 0)
    #expect(received + dropped == sent)
    #expect(server.takeKernelDrops() == 0)
  }

  @Test(arguments: ["127.0.0.1", "::1"]) func aBatchArrivesInSegmentsWithPathAndMark(literal: String) throws {
    let address = try #require(NetworkAddress(literal: literal, port: 0))
    let server = try UDPSocket(bindingTo: address)
    let client = try UDPSocket(connectingTo: server.localAddress)
    let bytes = (0..<2_500).map { UInt8(truncatingIfNeeded: $0) }
    #expect(client.send(bytes, segmentSize: 1_000, ecn: .ect0) == .done)
    let (found, outcome) = arrivals(at: server, expecting: 3)
    #expect(outcome == .drained)
    #expect(found.map(\.bytes) == [Array(bytes[0..<1_000]), Array(bytes[1_000..<2_000]), Array(bytes[2_000...])])
    #expect(found.map(\.ecn) == [.ect0, .ect0, .ect0])
    let path = try #require(client.path)
    #expect(found.allSatisfy { $0.path == NetworkPath(local: path.remote, remote: path.local) })
    // And back, from the address that was asked.
    let back = try #require(found.first?.path)
    let outcomeBack = [UInt8](repeating: 7, count: 64).withUnsafeBytes {
      server.send($0, segmentSize: 64, path: back, ecn: .ect1)
    }
    #expect(outcomeBack == .done)
    #expect(arrivals(at: client).0 == [Arrival(bytes: [UInt8](repeating: 7, count: 64), path: path, ecn: .ect1)])
  }

  /// A whole batch in one call, of which the kernel makes datagrams, or not on the way over loopback: the largest that a
  /// batch may be, over both families.
  @Test(arguments: ["127.0.0.1", "::1"], [1_000, DatagramBatch.capacity])
  func aFullBatchArrivesInOrder(literal: String, count: Int) throws {
    let server = try UDPSocket(bindingTo: try #require(NetworkAddress(literal: literal, port: 0)))
    let client = try UDPSocket(connectingTo: server.localAddress)
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 1_000) }
    #expect(client.send(bytes, segmentSize: 1_444, ecn: .ect0) == .done)
    #expect(client.sendsSegments)
    let found = arrivals(at: server, expecting: (count + 1_443) / 1_444).0
    #expect(
      found.map(\.bytes) == stride(from: 0, to: count, by: 1_444).map { Array(bytes[$0..<min($0 + 1_444, count)]) })
    #expect(found.allSatisfy { $0.ecn == .ect0 })
  }

  /// The largest datagrams that path-MTU discovery finds fill a batch as ngtcp2's own server fills one.
  @Test func aBatchHoldsAsManyDatagramsAsAPacketOfTheKernel() {
    #expect(DatagramBatch.capacity / 1_444 == 45)
  }

  /// With room for one message a call, a turn's few calls bring all of a batch only where one message is many datagrams.
  @Test func whatCameInOnePieceIsReadInOnePiece() throws {
    let server = try UDPSocket(bindingTo: .loopback(port: 0))
    let client = try UDPSocket(connectingTo: server.localAddress)
    #expect(client.send([UInt8](repeating: 1, count: 40_000), segmentSize: 1_000) == .done)
    #expect(client.sendsSegments)
    #expect(arrivals(at: server, slots: 1).0.count == 40)
  }

  /// A peer at port 0, or an address of ours that is gone, cannot be sent to in any way; others have their batches and
  /// marks as before.
  @Test(arguments: [
    (local: "127.0.0.1", remote: "127.0.0.1", port: UInt16(0)), (local: "2001:db8::1", remote: "::1", port: 9),
  ])
  func whatCannotBeSentAtAllTurnsNothingOff(local: String, remote: String, port: UInt16) throws {
    let server = try UDPSocket(bindingTo: try #require(NetworkAddress(literal: "::", port: 0)))
    let client = try UDPSocket(connectingTo: .loopback(port: server.localAddress.port))
    let path = NetworkPath(
      local: try #require(NetworkAddress(literal: local, port: server.localAddress.port)),
      remote: try #require(NetworkAddress(literal: remote, port: port)))
    let bytes = [UInt8](repeating: 1, count: 3_000)
    let outcome = bytes.withUnsafeBytes { server.send($0, segmentSize: 1_000, path: path, ecn: .ect0) }
    guard case .failed(let error) = outcome else {
      Issue.record("no failure but \(outcome)")
      return
    }
    #expect(error.number == EINVAL)
    #expect(server.sendsSegments)
    #expect(server.marksECN)
    let back = try #require(client.path.map { NetworkPath(local: $0.remote, remote: $0.local) })
    #expect(bytes.withUnsafeBytes { server.send($0, segmentSize: 1_000, path: back, ecn: .ect0) } == .done)
    #expect(arrivals(at: client, expecting: 3).0.map(\.ecn) == [.ect0, .ect0, .ect0])
  }

  /// More segments than Linux takes in one piece are the refusal that a test can have (EINVAL).
  @Test func whatTheKernelRefusesInOnePieceContinueseByOne() throws {
    let server = try UDPSocket(bindingTo: .loopback(port: 0))
    let client = try UDPSocket(connectingTo: server.localAddress)
    let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 / 100) }
    for _ in 0..<2 {
      #expect(client.send(bytes, segmentSize: 100, ecn: .ect0) == .done)
      let found = arrivals(at: server, expecting: 200).0
      #expect(found.map(\.bytes) == stride(from: 0, to: 20_000, by: 100).map { Array(bytes[$0..<$0 + 100]) })
      #expect(!client.sendsSegments)
    }
  }

  @Test func aSocketForAllAddressesTakesBothFamiliesAndAnswersFromTheRightOne() throws {
    let wildcard = try #require(NetworkAddress(literal: "::", port: 0))
    let server = try UDPSocket(bindingTo: wildcard)
    for literal in ["127.0.0.1", "::1"] {
      let target = try #require(NetworkAddress(literal: literal, port: server.localAddress.port))
      let client = try UDPSocket(connectingTo: target)
      #expect(client.send([UInt8](repeating: 1, count: 40), ecn: .ect0) == .done)
      let found = arrivals(at: server).0
      let clientPath = try #require(client.path)
      let path = try #require(found.first?.path)
      #expect(path == NetworkPath(local: target, remote: clientPath.local))
      #expect(found.first?.ecn == .ect0)
      let answer = [UInt8](repeating: 2, count: 40).withUnsafeBytes {
        server.send($0, segmentSize: 40, path: path, ecn: .ect0)
      }
      #expect(answer == .done)
      // A connected socket takes nothing from another address.
      #expect(arrivals(at: client).0.map(\.ecn) == [.ect0])
    }
  }

  @Test func aRefusalIsReportedAndTheNextDatagramsContinue() throws {
    var server: UDPSocket? = try UDPSocket(bindingTo: .loopback(port: 0))
    let address = try #require(server?.localAddress)
    let client = try UDPSocket(connectingTo: address)
    server = nil
    #expect(client.send([UInt8](repeating: 1, count: 40)) == .done)
    let (_, outcome) = arrivals(at: client)
    guard case .failed(let error) = outcome else {
      Issue.record("no refusal but \(outcome)")
      return
    }
    #expect(error.number == ECONNREFUSED)
    let revived = try UDPSocket(bindingTo: address)
    #expect(client.send([UInt8](repeating: 2, count: 40)) == .done)
    #expect(arrivals(at: revived).0.count == 1)
  }

  @Test func aRefusalMetWhileSendingCostsNoDatagram() throws {
    var server: UDPSocket? = try UDPSocket(bindingTo: .loopback(port: 0))
    let address = try #require(server?.localAddress)
    let client = try UDPSocket(connectingTo: address)
    server = nil
    #expect(client.send([UInt8](repeating: 1, count: 40)) == .done)
    #expect(hasNews(client))
    let revived = try UDPSocket(bindingTo: address)
    guard case .failed(let error) = client.send([UInt8](repeating: 2, count: 40)) else {
      Issue.record("the refusal was not reported")
      return
    }
    #expect(error.number == ECONNREFUSED)
    #expect(arrivals(at: revived).0.map { $0.bytes.first } == [2])
  }

  @Test func aDatagramLargerThanTheInterfaceTakesIsLostAndNoError() throws {
    let server = try UDPSocket(bindingTo: .loopback(port: 0))
    let client = try UDPSocket(connectingTo: server.localAddress)
    // 65 507 bytes are IPv4's limit.
    #expect(client.send([UInt8](repeating: 1, count: 65_600)) == .done)
    #expect(client.droppedCount == 1)
    #expect(arrivals(at: server, expecting: 0).0.isEmpty)
  }

  @Test func cutAndTinyDatagramsAreNotDelivered() throws {
    let server = try UDPSocket(bindingTo: .loopback(port: 0))
    let client = try UDPSocket(connectingTo: server.localAddress)
    for size in [2_049, 1, 20] {
      #expect(client.send([UInt8](repeating: 1, count: size)) == .done)
    }
    #expect(client.send([UInt8](repeating: 3, count: 21)) == .done)
    #expect(arrivals(at: server, slotSize: 2_048).0.map(\.bytes.count) == [21])
    #expect(server.droppedCount == 1)
  }

  @Test func anAddressThatIsNotOursCannotBeBound() throws {
    let address = try #require(NetworkAddress(literal: "192.0.2.1", port: 0))
    let error = #expect(throws: SystemError.self) { _ = try UDPSocket(bindingTo: address) }
    #expect(error?.number == EADDRNOTAVAIL)
  }
}
