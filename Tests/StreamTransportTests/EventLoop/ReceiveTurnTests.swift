import HTTP3Engine
import StreamTransport
import Testing

/// The limit on reading one socket before others have their turn.
@Suite(.timeLimit(.minutes(10))) struct ReceiveTurnTests {
  /// Four calls of sixteen places, as many as a loop's buffer has.
  private static let mostPerTurn = 64

  @Test func oneTurnIsBoundedAndSaysThatThereIsMore() throws {
    let server = try UDPSocket(bindingTo: .loopback(port: 0))
    let client = try UDPSocket(connectingTo: server.localAddress)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: EventLoop.receiveBufferSize, alignment: 16)
    defer { buffer.deallocate() }
    for number in 0..<UInt8(Self.mostPerTurn + 1) {
      #expect(client.send([UInt8](repeating: number, count: 30)) == .done)
    }
    var found: [UInt8] = []
    #expect(server.receive(into: buffer) { bytes, _, _ in found.append(bytes[0]) } == .more)
    #expect(found.count > Self.mostPerTurn / 2 && found.count <= Self.mostPerTurn)
    #expect(server.receive(into: buffer) { bytes, _, _ in found.append(bytes[0]) } == .drained)
    #expect(found == Array(0..<UInt8(Self.mostPerTurn + 1)))
  }

  /// Two sockets on one loop, of which one is never empty.
  private actor Resident {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let busy: UDPSocket
    private let feeder: UDPSocket
    private let quiet: UDPSocket
    private let caller: UDPSocket
    private var registrations: [EventLoop.Registration] = []
    private var received = 0
    private let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: EventLoop.receiveBufferSize, alignment: 16)

    init(_ loop: EventLoop) throws {
      self.loop = loop
      busy = try UDPSocket(bindingTo: .loopback(port: 0))
      feeder = try UDPSocket(connectingTo: busy.localAddress)
      quiet = try UDPSocket(bindingTo: .loopback(port: 0))
      caller = try UDPSocket(connectingTo: quiet.localAddress)
    }

    /// Datagrams of the busy socket that were read before the quiet one's handler had its turn.
    func readBeforeTheOther() async throws -> Int {
      let (turns, tell) = AsyncStream.makeStream(of: Int.self)
      registrations.append(
        try loop.register(busy, [.readable]) { [weak self] _ in self?.assumeIsolated { $0.readBusy() } })
      registrations.append(
        try loop.register(quiet, [.readable]) { [weak self] _ in
          self?.assumeIsolated {
            _ = $0.quiet.receive(into: $0.buffer) { _, _, _ in }
            tell.yield($0.received)
          }
        })
      for _ in 0..<100 { feed() }
      for await count in turns { return count }
      return .max
    }

    /// Each datagram that is read is followed by another one, up to a number at which the test has failed.
    private func readBusy() {
      _ = busy.receive(into: buffer) { _, _, _ in
        received += 1
        if received == 1 { _ = caller.send([UInt8](repeating: 2, count: 30)) }
        if received < 20_000 { feed() }
      }
    }

    private func feed() { _ = feeder.send([UInt8](repeating: 1, count: 30)) }

    func close() {
      for (registration, socket) in zip(registrations, [busy, quiet]) { loop.unregister(registration, socket) }
      registrations = []
      buffer.deallocate()
    }
  }

  /// The quiet socket's datagram comes during the busy one's first turn: it waits for that one, and for one more at most,
  /// which the kernel may tell of first.
  @Test func aSocketThatIsNeverEmptyLeavesOthersTheirTurn() async throws {
    let loop = try EventLoop(name: "turns")
    let resident = try Resident(loop)
    let count = try await resident.readBeforeTheOther()
    #expect((1...2 * Self.mostPerTurn).contains(count), "\(count) datagrams")
    await resident.close()
    loop.stop()
  }
}
