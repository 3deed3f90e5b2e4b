import HTTP3Engine
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOTLS

/// The end of a connection's pipeline: one exchange at a time, no byte read that nobody wants.
///
/// The channel does not read by itself. While idle one read is outstanding, so that the server's close is seen at once.
final class HTTP1ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private enum State {
    case connecting
    case idle
    case exchanging(HTTP1Exchange)
    case closed(TransportError)
  }

  /// Succeeds when requests may be sent: for TLS, after the handshake and the certificate's acceptance.
  let ready: EventLoopPromise<Void>
  private let origin: Origin
  private let configuration: HTTP1TransportConfiguration
  private let verdict: CertificateVerdict?
  private var state = State.connecting
  private var context: ChannelHandlerContext?
  private var idleTimer: Scheduled<Void>?
  private var exchangeCount = 0
  /// Called on the event loop each time the connection can take another request.
  var onIdle: (() -> Void)?
  /// Called on the event loop once, when the connection is gone.
  var onClose: ((TransportError) -> Void)?
  /// The number of interim responses that HTTP/3's engine takes for one request.
  private static let interimResponseLimit = 16

  /// - Parameter verdict: what the certificate's check found; nil for plaintext.
  init(
    ready: EventLoopPromise<Void>, origin: Origin, configuration: HTTP1TransportConfiguration,
    verdict: CertificateVerdict?
  ) {
    self.ready = ready
    self.origin = origin
    self.configuration = configuration
    self.verdict = verdict
  }

  var isIdle: Bool {
    if case .idle = state { true } else { false }
  }

  /// Whether what the socket has would be taken.
  var wantsBytes: Bool {
    switch state {
    // A closing connection reads too: the peer's close_notify ends it, and without it TLS waits for its time-out.
    case .connecting, .idle, .closed: true
    case .exchanging(let exchange): exchange.gate.isOpen
    }
  }

  // MARK: What the connection's owner asks for, on the event loop

  /// Begins an exchange; the rest of a streamed body follows with ``write(_:of:)`` and ``finishRequest(of:)``.
  func begin(
    _ request: HTTP1Request, _ answer: EventLoopPromise<HTTP1Answer>, pump: RequestPump, slot: RequestSlot
  ) -> Int? {
    guard case .idle = state, let context else {
      answer.fail(StaleConnection(error: closingError, isUntouched: true))
      return nil
    }
    idleTimer?.cancel()
    exchangeCount += 1
    let exchange = HTTP1Exchange(
      number: exchangeCount, gate: ReadGate(high: configuration.receiveBuffer),
      pump: pump, slot: slot, phase: .awaitingHead(answer))
    state = .exchanging(exchange)
    context.write(wrapOutboundOut(.head(request.head)), promise: nil)
    switch request.body {
    case .none: finishRequest(of: exchange.number)
    case .bytes(let bytes):
      if !bytes.isEmpty {
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
      }
      finishRequest(of: exchange.number)
    case .stream: context.flush()
    }
    return exchange.number
  }

  /// Sends a chunk; the promise is kept when the socket has taken it.
  func write(_ bytes: [UInt8], of number: Int, _ done: EventLoopPromise<Void>) {
    guard case .exchanging(let exchange) = state, exchange.number == number, let context else {
      return done.fail(closingError)
    }
    guard !bytes.isEmpty else { return done.succeed() }
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: done)
  }

  func finishRequest(of number: Int) {
    guard case .exchanging(var exchange) = state, exchange.number == number, let context else { return }
    exchange.isRequestSent = true
    state = .exchanging(exchange)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  /// The reader has made room.
  func resumeReading(of number: Int) {
    guard case .exchanging(let exchange) = state, exchange.number == number else { return }
    context?.read()
  }

  /// Ends the exchange and with it the connection: HTTP/1.1 has no other way to stop a response.
  func cancel(_ number: Int, _ error: TransportError) {
    guard case .exchanging(let exchange) = state, exchange.number == number else { return }
    close(error)
  }

  /// The connection waits for a request that may never come.
  func startIdleTimer() {
    guard isIdle, let loop = context?.eventLoop else { return }
    idleTimer?.cancel()
    idleTimer = loop.assumeIsolated().scheduleTask(in: .nanoseconds(configuration.idleLimit.nanosecondsClamped)) {
      [weak self] in
      guard let self, self.isIdle else { return }
      self.close(TransportError(.connectionLost, "The connection was idle for too long."))
    }
  }

  func close(_ error: TransportError) {
    end(error)
    context?.close(promise: nil)
  }

  // MARK: What the channel reports

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    if context.channel.isActive { start(context) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    end(TransportError(.connectionLost, "The connection to \(origin.authority) was closed."))
    self.context = nil
  }

  func channelActive(context: ChannelHandlerContext) {
    start(context)
    context.fireChannelActive()
  }

  private func start(_ context: ChannelHandlerContext) {
    if verdict == nil { becomeReady() }
    context.read()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case TLSUserEvent.handshakeCompleted(let negotiated) = event else {
      return context.fireUserInboundEventTriggered(event)
    }
    if let negotiated, negotiated != "http/1.1" {
      return close(
        TransportError(.protocolViolation, "\(origin.authority) chose '\(negotiated)', which was not offered."))
    }
    becomeReady()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .exchanging(var exchange) = state else { return }
    switch (unwrapInboundIn(data), exchange.phase) {
    case (.head(let head), .awaitingHead(let answer)): receive(head, &exchange, answer)
    case (.body(let buffer), .receivingBody(let body)):
      exchange.gate.add(buffer.readableBytes)
      body.yield(Array(buffer.readableBytesView))
    case (.end(let trailers), .receivingBody(let body)): finish(exchange, body, trailers.map { HTTPFields($0) })
    case (.body, .awaitingHead), (.end, .awaitingHead), (.head, .receivingBody):
      close(TransportError(.protocolViolation, "\(origin.authority) sent a response out of order."))
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if wantsBytes { context.read() }
    context.fireChannelReadComplete()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    close(verdict?.rejection ?? TransportError(exchanging: error, with: origin))
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(
      verdict?.rejection
        ?? TransportError(.connectionLost, "\(origin.authority) closed the connection before the response's end."))
    context.fireChannelInactive()
  }

  // MARK: Steps

  private var closingError: TransportError {
    if case .closed(let error) = state { return error }
    return TransportError(.connectionLost, "The connection to \(origin.authority) is in use or closed.")
  }

  private func becomeReady() {
    guard case .connecting = state else { return }
    state = .idle
    ready.succeed()
  }

  private func receive(
    _ head: HTTPResponseHead, _ exchange: inout HTTP1Exchange, _ answer: EventLoopPromise<HTTP1Answer>
  ) {
    guard head.status.code != 101 else {
      return close(TransportError(.protocolViolation, "\(origin.authority) changed protocols without being asked."))
    }
    guard head.status.code >= 200 else { return receiveInterim(HTTPResponse(head), &exchange) }
    exchange.keepsConnection = head.isKeepAlive
    let number = exchange.number
    let gate = exchange.gate
    let loopBound = NIOLoopBound(self, eventLoop: answer.futureResult.eventLoop)
    let channel = BodyChannel(
      onConsumed: { count in
        guard gate.remove(count) else { return }
        loopBound.eventLoop.execute { loopBound.value.resumeReading(of: number) }
      },
      onCancel: {
        loopBound.eventLoop.execute {
          loopBound.value.cancel(number, TransportError(.cancelled, "The response's reader left."))
        }
      })
    exchange.phase = .receivingBody(channel)
    state = .exchanging(exchange)
    answer.succeed(
      HTTP1Answer(
        head: HTTPResponse(head), body: ResponseBody(channel), interimResponses: exchange.interimResponses))
  }

  private func receiveInterim(_ response: HTTPResponse, _ exchange: inout HTTP1Exchange) {
    guard exchange.interimResponses.count < Self.interimResponseLimit else {
      return close(TransportError(.limitExceeded, "\(origin.authority) sent too many interim responses."))
    }
    exchange.interimResponses.append(response)
    state = .exchanging(exchange)
  }

  private func finish(_ exchange: HTTP1Exchange, _ body: BodyChannel, _ trailers: HTTPFields?) {
    if exchange.keepsConnection, exchange.isRequestSent {
      // Parked before the reader hears of the end, so that its next request finds the connection.
      state = .idle
      onIdle?()
      body.finish(trailers: trailers)
    } else {
      // The state moves first: what the close reports must not find the exchange still there.
      exchange.pump.cancel()
      let reason = TransportError(.connectionLost, "The server keeps no connection.")
      state = .closed(reason)
      body.finish(trailers: trailers)
      tellClose(reason)
      context?.close(promise: nil)
    }
  }

  /// Fails what is in flight; does nothing after the first call.
  private func end(_ error: TransportError) {
    let old = state
    if case .closed = old { return }
    state = .closed(error)
    idleTimer?.cancel()
    switch old {
    case .connecting: ready.fail(error)
    case .idle, .closed: break
    case .exchanging(let exchange):
      exchange.pump.cancel()
      switch exchange.phase {
      case .awaitingHead(let answer):
        answer.fail(error.code == .connectionLost ? StaleConnection(error: error) : error)
      case .receivingBody(let body): body.finish(throwing: error)
      }
    }
    tellClose(error)
  }

  /// The last call of both, which hold the connection.
  private func tellClose(_ reason: TransportError) {
    let onClose = onClose
    (self.onIdle, self.onClose) = (nil, nil)
    onClose?(reason)
  }
}
