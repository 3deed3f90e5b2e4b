import NIOCore
import NIOHTTP1

/// Keeps all content off HTTP/1.1's responses to HEAD (RFC 9110 § 9.3.2).
///
/// The encoder does not know the request: it would end a body of unknown length, which the client would take for the beginning
/// of the next response.
final class HeadResponses: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// Whether each request that has no whole response is HEAD. Of a client that does not wait for responses there may be several,
  /// as many as one read holds.
  private var isHead: [Bool] = []

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) { isHead.append(head.method == .HEAD) }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let isWanted: Bool
    switch unwrapOutboundIn(data) {
    case .head: isWanted = true
    case .body: isWanted = isHead.first != true
    case .end: isWanted = isHead.isEmpty || !isHead.removeFirst()
    }
    if isWanted { context.write(data, promise: promise) } else { promise?.succeed() }
  }
}
