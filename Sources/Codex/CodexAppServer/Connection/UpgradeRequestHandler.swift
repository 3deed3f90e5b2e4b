import NIOCore
import NIOHTTP1

/// Asks for the WebSocket, and reports why there is none. It is removed once there is one.
final class UpgradeRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let upgraded: EventLoopPromise<Void>

  init(upgraded: EventLoopPromise<Void>) {
    self.upgraded = upgraded
  }

  func channelActive(context: ChannelHandlerContext) {
    // Codex refuses clients that send an Origin.
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["Host": "localhost"])
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data) else { return }
    fail("it answered with status \(head.status.code)", nil, context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail("it closed the connection", nil, context)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail("its answer is none", error, context)
  }

  private func fail(_ what: String, _ cause: (any Error)?, _ context: ChannelHandlerContext) {
    upgraded.fail(
      AppServerError(
        .protocolViolation, "What answers at codex's socket is no app-server: \(what). Look who listens there.",
        cause: cause))
    context.close(promise: nil)
  }
}
