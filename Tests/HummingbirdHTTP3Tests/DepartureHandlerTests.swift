import NIOCore
import NIOEmbedded
import Testing

@testable import HummingbirdHTTP3

struct DepartureHandlerTests {
  private static func isFinished(_ sink: AsyncStream<Void>.Continuation) -> Bool {
    guard case .terminated = sink.yield() else { return false }
    return true
  }

  /// The second handler shows that the first passes on what it hears.
  @Test func theCloseIsReportedToTheResponseThatRunsAlone() throws {
    let handlers = [DepartureHandler(), DepartureHandler()]
    let channel = EmbeddedChannel(handlers: handlers)
    let (past, pastSink) = AsyncStream<Void>.makeStream()
    let (present, presentSink) = AsyncStream<Void>.makeStream()
    let (behind, behindSink) = AsyncStream<Void>.makeStream()
    handlers[0].tell(pastSink)
    handlers[0].forget()
    handlers[0].tell(presentSink)
    handlers[1].tell(behindSink)
    channel.pipeline.fireChannelInactive()
    #expect(!Self.isFinished(pastSink))
    #expect(Self.isFinished(presentSink))
    #expect(Self.isFinished(behindSink))
    // A stream that nobody holds is finished, too.
    withExtendedLifetime([past, present, behind]) {}
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test func aRequestAfterTheCloseFailsAtOnce() throws {
    let handler = DepartureHandler()
    let channel = EmbeddedChannel(handler: handler)
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    handler.forget()
    let (departure, sink) = AsyncStream<Void>.makeStream()
    handler.tell(sink)
    #expect(Self.isFinished(sink))
    withExtendedLifetime(departure) {}
    _ = try channel.finish(acceptAlreadyClosed: true)
  }
}
