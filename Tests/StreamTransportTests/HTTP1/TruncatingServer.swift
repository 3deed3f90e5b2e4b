import NIOCore
import NIOPosix
import NIOSSL
import StreamTransport

/// Answers one TLS request with a body without a length, and cuts TCP without TLS's goodbye.
enum TruncatingServer {
  static func run(_ certificate: DevelopmentCertificate, body: (Int) async throws -> Void) async throws {
    let tls = try TestTLS.context(certificate)
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(
            [
              CuttingHandler(), NIOSSLServerHandler(context: tls), AnsweringHandler(),
            ] as [any ChannelHandler])
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    do {
      try await body(listener.localAddress?.port ?? 0)
    } catch {
      try? await listener.close()
      throw error
    }
    try await listener.close()
  }

  /// In front of TLS: cuts the connection when the handler behind it says so.
  private final class CuttingHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
      context.close(promise: promise)
    }
  }

  private final class AnsweringHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let bytes = ByteBuffer(string: "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nabc")
      let channel = context.channel
      context.writeAndFlush(wrapOutboundOut(bytes)).whenComplete { _ in
        channel.triggerUserOutboundEvent("cut", promise: nil)
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
  }
}
