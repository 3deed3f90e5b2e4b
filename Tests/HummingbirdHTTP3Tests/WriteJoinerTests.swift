import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HummingbirdHTTP3

struct WriteJoinerTests {
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
    let channel = try Self.connected(WriteJoiner(timeout: .seconds(60)), HTTPResponseEncoder())
    let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["transfer-encoding": "chunked"])
    try channel.writeOutbound(HTTPServerResponsePart.head(head))
    #expect(try Self.pieces(channel).count == 1)
    try channel.writeOutbound(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "event"))))
    #expect(try Self.pieces(channel) == [ByteBuffer(string: "5\r\nevent\r\n")])
    _ = try channel.finish()
  }

  @Test func nothingIsPassedOnBeforeAFlushAndEachWriteIsToldThatItIsDone() throws {
    let channel = try Self.connected(WriteJoiner(timeout: .seconds(60)))
    let writes = ["one ", "", "two"].map { channel.write(ByteBuffer(string: $0)) }
    #expect(try Self.pieces(channel).isEmpty)
    channel.flush()
    #expect(try Self.pieces(channel) == [ByteBuffer(string: "one two")])
    for write in writes { try write.wait() }
    _ = try channel.finish()
  }

  /// What is small and stands before it is passed on before it, and what follows is not added to it.
  @Test func aLargePieceIsDividedInItsOrder() throws {
    let channel = try Self.connected(WriteJoiner(timeout: .seconds(60)))
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
    let channel = try Self.connected(WriteJoiner(timeout: .seconds(60)))
    for _ in 0..<5 { channel.write(ByteBuffer(repeating: 1, count: 5_000), promise: nil) }
    channel.flush()
    #expect(try Self.pieces(channel).map(\.readableBytes) == [15_000, 10_000])
    _ = try channel.finish()
  }

  @Test func aClientThatTakesNothingIsLeft() throws {
    let channel = try Self.connected(HoldingHandler(), WriteJoiner(timeout: .seconds(10)))
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
    let channel = try Self.connected(WriteJoiner(timeout: .seconds(10)))
    for _ in 0..<3 {
      try channel.writeAndFlush(ByteBuffer(string: "event")).wait()
      channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    }
    channel.embeddedEventLoop.advanceTime(by: .seconds(60))
    #expect(channel.isActive)
    _ = try channel.finish()
  }

  @Test func whatIsPendingFailsWithItsConnection() throws {
    let channel = try Self.connected(HoldingHandler(), WriteJoiner(timeout: .seconds(10)))
    let write = channel.write(ByteBuffer(string: "event"))
    _ = try channel.finish(acceptAlreadyClosed: true)
    #expect(throws: ChannelError.self) { try write.wait() }
  }

  /// A WebSocket takes HTTP's place: what was written goes out, and is watched no more.
  @Test func whoTakesItOutLosesNothing() throws {
    let joiner = WriteJoiner(timeout: .seconds(10))
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
