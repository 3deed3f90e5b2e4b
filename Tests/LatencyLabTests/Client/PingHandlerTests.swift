import NIOCore
import NIOEmbedded
import NIOHTTP2
import Synchronization
import Testing

@testable import latency_lab

struct PingHandlerTests {
  private final class Count: Sendable {
    let silences = Atomic(0)
  }

  private let count = Count()
  private let channel: EmbeddedChannel
  private let loop: EmbeddedEventLoop

  init() throws {
    loop = EmbeddedEventLoop()
    channel = EmbeddedChannel(
      handler: PingHandler { [count] in count.silences.wrappingAdd(1, ordering: .relaxed) }, loop: loop)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 443)).wait()
  }

  @Test func asksASilentConnectionAndClosesItWithoutAnAnswer() throws {
    loop.advanceTime(by: .milliseconds(999))
    #expect(try pings() == 0)
    loop.advanceTime(by: .milliseconds(1))
    #expect(try pings() == 1)
    loop.advanceTime(by: .milliseconds(999))
    #expect(channel.isActive)
    loop.advanceTime(by: .milliseconds(1))
    #expect(try !channel.isActive && pings() == 0)
    #expect(count.silences.load(ordering: .relaxed) == 1)
  }

  @Test func anyFrameIsAnAnswerAndIsPassedOn() throws {
    loop.advanceTime(by: .seconds(1))
    #expect(try pings() == 1)
    loop.advanceTime(by: .milliseconds(900))
    try receive(.ping(HTTP2PingData(withInteger: 0), ack: true))
    loop.advanceTime(by: .milliseconds(999))
    #expect(try channel.isActive && pings() == 0)
    loop.advanceTime(by: .milliseconds(1))
    #expect(try channel.isActive && pings() == 1)
  }

  @Test func asksNothingWhileFramesCome() throws {
    for _ in 0..<20 {
      loop.advanceTime(by: .milliseconds(900))
      try receive(.windowUpdate(windowSizeIncrement: 1))
    }
    #expect(try channel.isActive && pings() == 0)
  }

  @Test func aClosedConnectionIsAskedNothing() throws {
    try channel.close().wait()
    loop.advanceTime(by: .seconds(5))
    #expect(try pings() == 0 && count.silences.load(ordering: .relaxed) == 0)
  }

  private func receive(_ payload: HTTP2Frame.FramePayload) throws {
    try channel.writeInbound(HTTP2Frame(streamID: .rootStream, payload: payload))
    #expect(try channel.readInbound(as: HTTP2Frame.self) != nil)
  }

  /// The PINGs that were written since the last call.
  private func pings() throws -> Int {
    var count = 0
    while let frame = try channel.readOutbound(as: HTTP2Frame.self) {
      guard case .ping(_, ack: false) = frame.payload, frame.streamID == .rootStream else { continue }
      count += 1
    }
    return count
  }
}
