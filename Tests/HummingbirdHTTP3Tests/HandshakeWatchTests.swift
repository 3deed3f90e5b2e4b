import NIOCore
import NIOEmbedded
import NIOTLS
import Testing

@testable import HummingbirdHTTP3

struct HandshakeWatchTests {
  private func connected() throws -> EmbeddedChannel {
    let channel = EmbeddedChannel(handler: HandshakeWatch(timeout: .seconds(10)))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 443)).wait()
    return channel
  }

  @Test func aHandshakeThatTakesTooLongIsEnded() throws {
    let channel = try connected()
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
  }

  @Test(arguments: [false, true]) func aDrainAndACancellationEndIt(_ isCancelled: Bool) throws {
    let channel = try connected()
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.shutdownCompleted)
    #expect(channel.isActive)
    if isCancelled {
      channel.pipeline.fireUserInboundEventTriggered(HandshakeWatch.Cancellation())
    } else {
      channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }
    #expect(!channel.isActive)
  }

  @Test func afterTheHandshakeNothingDoes() throws {
    let channel = try connected()
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: "h2"))
    let watch = try? channel.pipeline.syncOperations.handler(type: HandshakeWatch.self)
    #expect(watch == nil)
    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    channel.embeddedEventLoop.advanceTime(by: .seconds(60))
    #expect(channel.isActive)
  }
}
