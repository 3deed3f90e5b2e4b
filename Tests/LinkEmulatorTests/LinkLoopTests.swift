import Foundation
import LinkEmulator
import LinkModel
import Testing

/// The loop between two socket pairs in the place of devices: needs no privileges.
@Suite(.timeLimit(.minutes(10))) struct LinkLoopTests {
  /// A device's two ends: one for a loop, which closes it, and the test's.
  private final class Device {
    let loopEnd: CInt
    private let testEnd: CInt

    init() throws {
      var ends: [CInt] = [-1, -1]
      try #require(socketpair(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
      (loopEnd, testEnd) = (ends[0], ends[1])
      try #require(fcntl(loopEnd, F_SETFL, fcntl(loopEnd, F_GETFL) | O_NONBLOCK) == 0)
      var time = timeval(tv_sec: 10, tv_usec: 0)
      setsockopt(testEnd, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(testEnd) }

    func send(_ packet: [UInt8]) { #expect(write(testEnd, packet, packet.count) == packet.count) }

    /// Waits at most ten seconds; nothing after them.
    func receive() -> [UInt8] {
      var buffer = [UInt8](repeating: 0, count: 2_000)
      let length = read(testEnd, &buffer, buffer.count)
      return Array(buffer[..<max(length, 0)])
    }

    /// Whether the loop has read all that was sent.
    var isDrained: Bool {
      var bytes: CInt = 1
      return ioctl(testEnd, UInt(TIOCOUTQ), &bytes) == 0 && bytes == 0
    }
  }

  @Test func packetsCrossAsTheModelDecides() throws {
    var toServer = DirectionConditions(oneWayDelayMilliseconds: 3)
    toServer.loss = .pattern([false, true, false])
    let conditions = LinkConditions(
      toClient: DirectionConditions(oneWayDelayMilliseconds: 0), toServer: toServer)
    let model = try LinkModel(conditions, seed: LinkSeed(scenario: 1, repetition: 1))
    let client = try Device()
    let server = try Device()
    let loop = try LinkLoop(
      model: model, recorder: PacketRecorder(limit: 1_000, capture: nil), client: Descriptor(owning: client.loopEnd),
      server: Descriptor(owning: server.loopEnd),
      wantsRealtime: false)
    try loop.start()

    let packets = (0..<90).map { Packets.udp(payload: [UInt8($0)]) }
    for packet in packets { client.send(packet) }
    let passing = packets.indices.filter { $0 % 3 != 1 }
    for index in passing { #expect(server.receive() == packets[index]) }
    server.send(packets[7])
    #expect(client.receive() == packets[7])
    loop.stop()

    let entries = loop.recorder.finished()
    #expect(entries.count == 91)
    #expect(entries[..<90].filter { $0.verdict == .dropped }.map(\.number) == packets.indices.filter { $0 % 3 == 1 })
    #expect(entries[..<90].allSatisfy { $0.direction == .toServer && $0.transport == .udp && $0.bytes == 29 })
    #expect(entries[90].direction == .toClient)
    #expect(loop.failedWrites == 0)
    for entry in entries where entry.verdict == .delivered {
      let due = try #require(entry.due)
      let left = try #require(entry.left)
      #expect(due == entry.entered + (entry.direction == .toServer ? 3_000_000 : 0))
      #expect(left >= due)
    }
  }

  @Test func aLoopStopsWithPacketsOnTheLink() throws {
    let conditions = LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 60_000))
    let client = try Device()
    let server = try Device()
    let loop = try LinkLoop(
      model: LinkModel(conditions, seed: LinkSeed(scenario: 1, repetition: 1)),
      recorder: PacketRecorder(limit: 10, capture: nil), client: Descriptor(owning: client.loopEnd),
      server: Descriptor(owning: server.loopEnd),
      wantsRealtime: false)
    // In the loop's descriptor before it starts, so that it is read before the loop looks at its end.
    let packet = Packets.udp(payload: [1])
    client.send(packet)
    try loop.start()
    #expect(Machine.eventually { client.isDrained })
    loop.stop()
    #expect(loop.recorder.finished().map(\.verdict) == [.unfinished])
  }
}
