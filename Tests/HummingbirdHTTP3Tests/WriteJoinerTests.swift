import NIOCore
import NIOEmbedded
import NIOHTTP1
import StreamTransport
import Testing

@testable import HummingbirdHTTP3

struct WriteJoinerTests {
  private static func joiner(_ seconds: Int, untaken: SharedBytes = SharedBytes(1 << 20)) -> WriteJoiner {
    WriteJoiner(timeout: .seconds(seconds), untaken: untaken)
  }

  private static func connected(_ handlers: any ChannelHandler...) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel(handlers: handlers)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 443)).wait()
    return channel
  }

  private static func pieces(_ channel: EmbeddedChannel) throws -> [ByteBuffer] {
    var pieces: [ByteBuffer] = []
    while let piece = try channel.readOutbound(as: ByteBuffer.self) { pieces.append(piece) }
    return pieces
  }

  @Test func aChunkIsOnePiece() throws {
    let channel = try Self.connected(Self.joiner(60), HTTPResponseEncoder())
    let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["transfer-encoding": "chunked"])
    try channel.writeOutbound(HTTPServerResponsePart.head(head))
    #expect(try Self.pieces(channel).count == 1)
    try channel.writeOutbound(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "event"))))
    #expect(try Self.pieces(channel) == [ByteBuffer(string: "5\r\nevent\r\n")])
    _ = try channel.finish()
  }

  @Test func nothingIsPassedOnBeforeAFlushAndEachWriteIsToldThatItIsDone() throws {
    let channel = try Self.connected(Self.joiner(60))
    let writes = ["one ", "", "two"].map { channel.write(ByteBuffer(string: $0)) }
    #expect(try Self.pieces(channel).isEmpty)
    channel.flush()
    #expect(try Self.pieces(channel) == [ByteBuffer(string: "one two")])
    for write in writes { try write.wait() }
    _ = try channel.finish()
  }

  /// What is small and stands before it is passed on before it, and what follows is not added to it.
  @Test func aLargePieceIsDividedInItsOrder() throws {
    let channel = try Self.connected(Self.joiner(60))
    let large = ByteBuffer(bytes: (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 251) })
    let writes = [ByteBuffer(string: "before"), large, ByteBuffer(string: "behind")].map { channel.write($0) }
    channel.flush()
    let pieces = try Self.pieces(channel)
    #expect(pieces.map(\.readableBytes) == [6, 32_768, 32_768, 32_768, 1_696, 6])
    let expected = Array("before".utf8) + large.readableBytesView + Array("behind".utf8)
    #expect(pieces.flatMap(\.readableBytesView) == expected)
    for write in writes { try write.wait() }
    _ = try channel.finish()
  }

  @Test func smallPiecesAreJoinedUpToARecord() throws {
    let channel = try Self.connected(Self.joiner(60))
    for _ in 0..<5 { channel.write(ByteBuffer(repeating: 1, count: 5_000), promise: nil) }
    channel.flush()
    #expect(try Self.pieces(channel).map(\.readableBytes) == [15_000, 10_000])
    _ = try channel.finish()
  }

  @Test func aClientThatTakesNothingIsLeft() throws {
    let channel = try Self.connected(HoldingHandler(), Self.joiner(10))
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    let write = channel.writeAndFlush(ByteBuffer(string: "event"))
    channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
    #expect(throws: ChannelError.self) { try write.wait() }
  }

  /// Its writes are done, so that silence ends nothing.
  @Test func aClientThatTakesAllIsNot() throws {
    let channel = try Self.connected(Self.joiner(10))
    for _ in 0..<3 {
      try channel.writeAndFlush(ByteBuffer(string: "event")).wait()
      channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    }
    channel.embeddedEventLoop.advanceTime(by: .seconds(60))
    #expect(channel.isActive)
    _ = try channel.finish()
  }

  @Test func whatIsPendingFailsWithItsConnection() throws {
    let channel = try Self.connected(HoldingHandler(), Self.joiner(10))
    let write = channel.write(ByteBuffer(string: "event"))
    _ = try channel.finish(acceptAlreadyClosed: true)
    #expect(throws: ChannelError.self) { try write.wait() }
  }

  /// A large piece counts until all of it is taken, and where all hold too much the one ends that holds most.
  @Test func whoLeavesMostUntakenIsLeft() throws {
    let untaken = SharedBytes(150_000)
    let channels = try (0..<2).map { _ in try Self.connected(HoldingHandler(), Self.joiner(60, untaken: untaken)) }
    defer { for channel in channels { _ = try? channel.finish(acceptAlreadyClosed: true) } }
    let write = channels[0].writeAndFlush(ByteBuffer(repeating: 1, count: 100_000))
    #expect(untaken.total == 100_000)
    channels[1].writeAndFlush(ByteBuffer(repeating: 1, count: 40_000), promise: nil)
    for channel in channels { channel.embeddedEventLoop.run() }
    #expect(untaken.total == 140_000 && channels.allSatisfy(\.isActive))
    channels[1].writeAndFlush(ByteBuffer(repeating: 1, count: 20_000), promise: nil)
    for channel in channels { channel.embeddedEventLoop.run() }
    #expect(!channels[0].isActive && channels[1].isActive)
    #expect(throws: ChannelError.self) { try write.wait() }
    #expect(untaken.total == 60_000)
  }

  @Test func whatIsTakenCountsNoMore() throws {
    let untaken = SharedBytes(50_000)
    let channel = try Self.connected(Self.joiner(60, untaken: untaken))
    for _ in 0..<3 { try channel.writeAndFlush(ByteBuffer(repeating: 1, count: 40_000)).wait() }
    channel.embeddedEventLoop.run()
    #expect(channel.isActive && untaken.total == 0)
    _ = try channel.finish()
  }

  /// A WebSocket takes HTTP's place: what was written goes out, and is watched no more.
  @Test func whoTakesItOutLosesNothing() throws {
    let joiner = Self.joiner(10)
    let channel = try Self.connected(joiner)
    let write = channel.write(ByteBuffer(string: "answer"))
    try channel.pipeline.syncOperations.removeHandler(joiner).wait()
    channel.flush()
    #expect(try Self.pieces(channel) == [ByteBuffer(string: "answer")])
    try write.wait()
    channel.embeddedEventLoop.advanceTime(by: .seconds(60))
    #expect(channel.isActive)
    _ = try channel.finish()
  }
}
