import NIOCore
import Synchronization

/// Notices that an HTTP/1.1 client has closed its side of the connection, or that the connection is gone.
///
/// Hummingbird allows half-closed connections, so the channel stays open then, without any event until a write fails,
/// which on an idle event stream may take long. A client that closes its side while a response streams has left.
final class DepartureHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = NIOAny
  typealias InboundOut = NIOAny

  private struct State {
    var hasLeft = false
    var sink: AsyncStream<Void>.Continuation?
  }

  private let state = Mutex(State())

  /// Returns when the client of an HTTP/1.1 connection has left, or the task is cancelled.
  static func departure(from channel: any Channel) async {
    // The channel serves one request after another, so what waits for its close would pile up. One that is closed has no
    // handlers.
    guard let handler = try? await channel.pipeline.handler(type: DepartureHandler.self).get() else { return }
    let (departure, sink) = AsyncStream<Void>.makeStream()
    handler.tell(sink)
    for await _ in departure {}
    handler.forget()
  }

  /// Finishes `sink` when the client leaves, at once if it has.
  func tell(_ sink: AsyncStream<Void>.Continuation) {
    let hasLeft = state.withLock { state in
      state.sink = sink
      return state.hasLeft
    }
    if hasLeft { sink.finish() }
  }

  /// Forgets the sink: the response is over, and the connection may serve many more.
  func forget() {
    state.withLock { $0.sink = nil }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent { leave() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    leave()
    context.fireChannelInactive()
  }

  private func leave() {
    let sink = state.withLock { state in
      state.hasLeft = true
      return state.sink
    }
    sink?.finish()
  }
}
