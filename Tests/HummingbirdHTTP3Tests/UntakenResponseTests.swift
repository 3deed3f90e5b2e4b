import HTTPTypes
import Hummingbird
import NIOCore
import NIOEmbedded
import StreamTransport
import TestSupport
import Testing

@testable import HummingbirdHTTP3

/// What waits before a stream of HTTP/2 and behind it, where the stream itself sees nothing stand still.
@Suite(.timeLimit(.minutes(5)))
struct UntakenResponseTests {
  /// Takes nothing before its gate is open.
  private struct ClosedWriter: ResponseBodyWriter {
    let gate: Gate

    mutating func write(_ buffer: ByteBuffer) async throws { await gate.wait() }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }

  private static let address = try? SocketAddress(ipAddress: "127.0.0.1", port: 443)

  @Test func whatWaitsBeforeAChannelCountsUntilTheChannelHasIt() async throws {
    let channel = NIOAsyncTestingChannel()
    try await channel.connect(to: #require(Self.address)).get()
    let (untaken, gate) = (SharedBytes(1 << 20), Gate())
    let body = UntakenBodyWriter.counting(
      ResponseBody(byteBuffer: ByteBuffer(repeating: 1, count: 100_000)), in: untaken, on: channel)
    #expect(body.contentLength == 100_000)
    let writing = Task { try await body.write(ClosedWriter(gate: gate)) }
    await until { untaken.total == 100_000 }
    gate.open()
    try await writing.value
    #expect(untaken.total == 0)
    try await channel.close().get()
  }

  @Test func whoWaitsBeforeAChannelWithMostIsLeft() async throws {
    let untaken = SharedBytes(150_000)
    let gate = Gate()
    var channels: [NIOAsyncTestingChannel] = []
    var writing: [Task<Void, any Error>] = []
    for size in [100_000, 60_000] {
      let channel = NIOAsyncTestingChannel()
      try await channel.connect(to: #require(Self.address)).get()
      let body = UntakenBodyWriter.counting(
        ResponseBody(byteBuffer: ByteBuffer(repeating: 1, count: size)), in: untaken, on: channel)
      writing.append(Task { try await body.write(ClosedWriter(gate: gate)) })
      channels.append(channel)
    }
    try await channels[0].closeFuture.get()
    #expect(channels[1].isActive && untaken.total == 60_000)
    gate.open()
    for task in writing { try await task.value }
    try await channels[1].close().get()
  }

  /// What its streams have handed over is not taken, whether or not they are still there.
  @Test func aConnectionWhoseClientReadsNothingIsLeft() throws {
    let untaken = SharedBytes(1 << 20)
    let channel = EmbeddedChannel(
      handlers: [HoldingHandler(), ConnectionWriteWatch(timeout: .seconds(10), untaken: untaken)])
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    try channel.connect(to: #require(Self.address)).wait()
    // A frame's header, for which nobody waits, is not watched.
    channel.writeAndFlush(IOData.byteBuffer(ByteBuffer(repeating: 0, count: 9)), promise: nil)
    channel.embeddedEventLoop.advanceTime(by: .seconds(10))
    #expect(channel.isActive && untaken.total == 0)
    let write = channel.writeAndFlush(IOData.byteBuffer(ByteBuffer(repeating: 0, count: 16_384)))
    #expect(untaken.total == 16_384)
    channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive && untaken.total == 0)
    #expect(throws: ChannelError.self) { try write.wait() }
  }
}
