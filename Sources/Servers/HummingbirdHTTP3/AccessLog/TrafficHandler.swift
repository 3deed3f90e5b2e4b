import NIOCore
import NIOHTTPTypes
import Synchronization

/// Counts the content of the requests that a TCP channel brings, where an access log asks for it.
///
/// It stands in the pipeline and not around the bodies: Hummingbird's `consumeWithCancellationOnInboundClose` works with the
/// server's own request bodies alone.
final class TrafficHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private struct State {
    /// The request whose content comes.
    var arriving: ExchangeTraffic?
    /// Requests that no task has begun to serve; of a client of HTTP/1.1 that does not wait for responses there may be
    /// several, as many as one read holds.
    var unserved: [ExchangeTraffic] = []
  }

  private let state = Mutex(State())

  /// The traffic of the channel's next exchange, to be asked for once by the task that serves it; nil on a channel that is
  /// closed.
  static func next(on channel: any Channel) async -> ExchangeTraffic? {
    guard let handler = try? await channel.pipeline.handler(type: TrafficHandler.self).get() else { return nil }
    return handler.state.withLock { $0.unserved.isEmpty ? nil : $0.unserved.removeFirst() }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    state.withLock { state in
      switch part {
      case .head:
        let traffic = ExchangeTraffic()
        state.arriving = traffic
        state.unserved.append(traffic)
      case .body(let content): state.arriving?.receive(content.readableBytes)
      case .end: state.arriving = nil
      }
    }
    context.fireChannelRead(data)
  }
}
