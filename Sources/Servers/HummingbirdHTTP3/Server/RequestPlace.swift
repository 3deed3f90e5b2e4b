import NIOCore
import StreamTransport

/// Has a place among all requests of HTTP/2 for its stream, and resets the stream that gets none. The connection's
/// ``RequestWatch`` hears of both ends of it.
///
/// Connections have places of their own, and one of HTTP/1.1 has one request; of HTTP/2 each has a hundred.
final class RequestPlace: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny
  typealias InboundOut = NIOAny

  private let places: SharedPlaces
  private var place: SharedPlaces.Place?
  private var watch: RequestWatch?

  init(_ places: SharedPlaces) {
    self.places = places
  }

  func channelActive(context: ChannelHandlerContext) {
    let channel = context.channel
    watch = RequestWatch.ofConnection(of: channel)
    watch?.requestBegins()
    place = channel.parent?.remoteAddress?.ipAddress.flatMap { SourcePrefix(literal: $0) }.flatMap {
      places.take(from: $0) { channel.close(promise: nil) }
    }
    context.fireChannelActive()
    if place == nil { context.close(promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    leave()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { leave() }

  private func leave() {
    if let place { places.leave(place) }
    place = nil
    watch?.requestEnds()
    watch = nil
  }
}
