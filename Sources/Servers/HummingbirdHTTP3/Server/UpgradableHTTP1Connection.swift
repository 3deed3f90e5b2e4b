import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import StreamTransport

/// Hummingbird's HTTP/1.1 connection, made so that another protocol can take its place after an upgrade.
struct UpgradableHTTP1Connection: HTTPChannelHandler {
  typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  /// Bytes behind a request to upgrade that are kept until it is answered. No client may send any (RFC 6455 § 4.1).
  private static let maximumBytesBehindUpgrade = 64 << 10

  let responder: Responder
  let limits: TCPLimits
  /// The sum of what the clients of all connections do not take.
  let untaken: SharedBytes
  let countsTraffic: Bool

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: Self.decoderLimits)
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(WriteJoiner(timeout: limits.writeTimeout, untaken: untaken))
      try pipeline.addHandler(HTTPResponseEncoder())
      // The decoder stops at the end of a request to upgrade and keeps what follows.
      try pipeline.addHandler(ByteToMessageHandler(decoder, maximumBufferSize: Self.maximumBytesBehindUpgrade))
      try pipeline.addHandler(ExcessHandler())
      try pipeline.addHandler(ExpectationFilter())
      try pipeline.addHandler(HeadResponses())
      try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
      if countsTraffic { try pipeline.addHandler(TrafficHandler()) }
      try pipeline.addHandler(DepartureHandler())
      try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: limits.idleTimeout, logger: logger))
      return try NIOAsyncChannel(
        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }
  }

  func handle(value: Value, logger: Logger) async {
    await handleHTTP(asyncChannel: value, logger: logger)
  }

  /// Hummingbird's own.
  private static var decoderLimits: NIOHTTPDecoderLimitConfiguration {
    let defaults = HTTP1Channel.Configuration().httpDecoder
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = defaults.maxHeaderFieldSize
    limits.maxHeaderListSize = defaults.maxHeaderListSize
    limits.maxHeaderFieldCount = defaults.maxHeaderFieldCount
    return limits
  }
}

/// Closes a connection that sends more than may be kept behind a request to upgrade.
private final class ExcessHandler: ChannelInboundHandler, Sendable {
  typealias InboundIn = HTTPServerRequestPart

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is ByteToMessageDecoderError.PayloadTooLargeError {
      context.close(promise: nil)
    } else {
      context.fireErrorCaught(error)
    }
  }
}

/// Takes `Expect` out of requests of HTTP/1.0, whose clients know no interim responses (RFC 9110 § 10.1.1): behind the codec
/// a request no longer has its version.
private final class ExpectationFilter: ChannelInboundHandler, Sendable {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data), head.version.major < 2, head.version.minor == 0 else {
      return context.fireChannelRead(data)
    }
    head.headers.remove(name: "expect")
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}
