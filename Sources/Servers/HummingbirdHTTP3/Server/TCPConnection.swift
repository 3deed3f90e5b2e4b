import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOHTTP2
import NIOSSL
import NIOTLS
import StreamTransport

/// A connection over TLS that speaks HTTP/2 or HTTP/1.1, as ALPN has it (RFC 7301), with a limit on the handshake, and a
/// place among all connections.
struct TCPConnection: ServerChildChannel {
  enum Negotiated: Sendable {
    case http1(UpgradableHTTP1Connection.Value)
    case http2(HTTP2Channel.Value)
  }

  struct Value: ServerChildChannelValue {
    let negotiated: EventLoopFuture<Negotiated>
    let channel: any Channel
    /// Nil where the client is asked for no certificate.
    let clients: ClientCertificateCheck?
  }

  /// The protocols that the server's TLS offers by ALPN.
  static let applicationProtocols = ["h2", "http/1.1"]

  let tls: TLSContextInUse
  let http1: UpgradableHTTP1Connection
  let http2: HTTP2Channel
  let handshakeTimeout: Duration
  /// The time without a request after which a connection of HTTP/2 is closed.
  let quietTimeout: Duration
  let places: SharedPlaces
  /// Makes what sees whether a client of HTTP/2 reads.
  let watch: @Sendable () -> ConnectionWriteWatch

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    guard takePlace(channel) else {
      let error = MultiProtocolError(.tcp, "There are too many connections, and no source has many more than this one.")
      let value = Value(negotiated: channel.eventLoop.makeFailedFuture(error), channel: channel, clients: nil)
      return channel.eventLoop.makeSucceededFuture(value)
    }
    return channel.eventLoop.makeCompletedFuture {
      let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Negotiated> { result, channel in
        switch result {
        case .negotiated("h2"): return setupHTTP2(channel, logger)
        case .negotiated("http/1.1"), .fallback: return http1.setup(channel: channel, logger: logger).map { .http1($0) }
        case .negotiated(let other):
          let error = MultiProtocolError(.tcp, "ALPN chose \(other), which the server does not speak.")
          return channel.close().flatMapThrowing { throw error }
        }
      }
      let credentials = tls.current
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(
        TCPClientCertificate.handler(credentials.context, credentials.clients, logger: logger))
      // Right behind TLS: the next handler, which chooses the protocol, keeps the end of the handshake to itself.
      try pipeline.addHandler(HandshakeWatch(timeout: TimeAmount(handshakeTimeout)))
      try pipeline.addHandler(negotiation)
      return Value(
        negotiated: negotiation.protocolNegotiationResult, channel: channel, clients: credentials.clients)
    }
  }

  func handle(value: Value, logger: Logger) async {
    await withTaskCancellationHandler {
      do {
        let negotiated = try await value.negotiated.get()
        let certificate = try await TCPClientCertificate.certificate(on: value.channel, value.clients)
        // Requests are handled in tasks below this one. Nil is set too: the server may have been started by a task that
        // serves another connection.
        await TCPClientCertificate.$current.withValue(certificate) { await handle(negotiated, logger) }
      } catch {
        logger.debug("a connection is not served: \(error)")
      }
    } onCancel: {
      value.channel.pipeline.fireUserInboundEventTriggered(HandshakeWatch.Cancellation())
    }
    // A cancelled HTTP/2 connection would stay open otherwise, and its later requests would not be served.
    value.channel.close(promise: nil)
  }

  private func handle(_ negotiated: Negotiated, _ logger: Logger) async {
    switch negotiated {
    case .http1(let connection): await http1.handle(value: connection, logger: logger)
    case .http2(let connection): await http2.handle(value: connection, logger: logger)
    }
  }

  private func setupHTTP2(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Negotiated> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(watch())
    }.flatMap {
      http2.setup(channel: channel, logger: logger)
    }.flatMapThrowing { connection in
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(
        MalformedRequests(), position: .after(try pipeline.handler(type: NIOHTTP2Handler.self)))
      try pipeline.addHandler(RequestWatch(timeout: quietTimeout))
      return .http2(connection)
    }
  }

  /// Whether the connection has a place, which it keeps until it is closed.
  private func takePlace(_ channel: any Channel) -> Bool {
    // A client whose address the system does not know has left already.
    guard let prefix = channel.remoteAddress?.ipAddress.flatMap({ SourcePrefix(literal: $0) }),
      let place = places.take(from: prefix, end: { channel.close(promise: nil) })
    else { return false }
    channel.closeFuture.whenComplete { [places] _ in places.leave(place) }
    return true
  }
}
