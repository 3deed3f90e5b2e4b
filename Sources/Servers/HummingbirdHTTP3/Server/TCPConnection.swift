import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL

/// Hummingbird's connection of HTTP/1.1 or HTTP/2 with a limit on the TLS handshake.
struct TCPConnection: ServerChildChannel {
  let base: HTTP2UpgradeChannel
  let handshakeTimeout: Duration

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP2UpgradeChannel.Value> {
    let timeout = TimeAmount(handshakeTimeout)
    return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
      // Right behind TLS: the next handler, which chooses the protocol, keeps the end of the handshake to itself.
      let pipeline = channel.pipeline.syncOperations
      let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
      try pipeline.addHandler(HandshakeWatch(timeout: timeout), position: .after(tls))
      return value
    }
  }

  func handle(value: HTTP2UpgradeChannel.Value, logger: Logger) async {
    await withTaskCancellationHandler {
      await base.handle(value: value, logger: logger)
    } onCancel: {
      value.channel.pipeline.fireUserInboundEventTriggered(HandshakeWatch.Cancellation())
    }
    // A cancelled HTTP/2 connection would stay open otherwise, and its later requests would not be served.
    value.channel.close(promise: nil)
  }
}
