import NIOCore
import NIOWebSocket

/// Does for one connection what its ``WebSocketSession`` says.
final class WebSocketChannelHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = Never
  typealias OutboundOut = WebSocketFrame

  /// Messages that may wait to be read before no more is taken from the client.
  private static let waitingMessages = 1...2

  private let eventLoop: any EventLoop
  private let messages: WebSocketInbound.Messages.Source
  private let demand: WebSocketDemand
  /// Finished when no more messages follow.
  private let end: AsyncStream<Void>.Continuation
  private var session: WebSocketSession
  private var context: ChannelHandlerContext?
  private var alarm: (at: NIODeadline, task: Scheduled<Void>)?
  private var isListening = true
  private var isReadPending = false

  private init(
    _ limits: WebSocketLimits, messages: WebSocketInbound.Messages.Source, demand: WebSocketDemand,
    end: AsyncStream<Void>.Continuation, eventLoop: any EventLoop
  ) {
    self.eventLoop = eventLoop
    self.messages = messages
    self.demand = demand
    self.end = end
    session = WebSocketSession(limits, now: eventLoop.now)
  }

  /// Makes the handlers that turn a connection's bytes into messages, in their order. To be called on the event loop.
  static func make(
    _ limits: WebSocketLimits, on eventLoop: any EventLoop
  ) -> (
    handlers: [any ChannelHandler], connection: WebSocketConnection
  ) {
    let demand = WebSocketDemand(channel: NIOLoopBoundBox(nil, eventLoop: eventLoop), eventLoop: eventLoop)
    let messages = WebSocketInbound.Messages.makeSequence(
      elementType: WebSocketMessage.self,
      backPressureStrategy: .init(lowWatermark: waitingMessages.lowerBound, highWatermark: waitingMessages.upperBound),
      finishOnDeinit: true, delegate: demand)
    let (ended, end) = AsyncStream<Void>.makeStream()
    let handler = WebSocketChannelHandler(
      limits, messages: messages.source, demand: demand, end: end, eventLoop: eventLoop)
    demand.channel.value = handler
    let outbound = WebSocketOutbound(channel: NIOLoopBound(handler, eventLoop: eventLoop), eventLoop: eventLoop)
    let decoder = ClientFrameDecoder(maximumSize: limits.maximumMessageSize)
    return (
      [WebSocketFrameEncoder(), ArrivalHandler(), ByteToMessageHandler(decoder), handler],
      WebSocketConnection(messages: messages.sequence, outbound: outbound, ended: ended)
    )
  }

  // MARK: The application's side

  /// Messages are read again, or not wanted any more.
  func messagesAreWanted() {
    guard !isListening else { return }
    listen(true)
    rearm()
  }

  func write(_ opcode: WebSocketOpcode, _ payload: ByteBuffer) -> EventLoopFuture<Void> {
    let count = payload.readableBytes
    do throws(WebSocketError) {
      guard let context else { throw WebSocketError(.closed, "The WebSocket is closed.") }
      try session.writeBegins(count, now: eventLoop.now)
      let promise = eventLoop.makePromise(of: Void.self)
      promise.futureResult.assumeIsolated().whenComplete { _ in
        self.session.writeEnded(count, now: self.eventLoop.now)
        self.rearm()
      }
      send(opcode, payload, over: context, promise)
      rearm()
      return promise.futureResult.flatMapErrorThrowing { error in
        throw WebSocketError(.departed, "The client left before it took what was written.", cause: error)
      }
    } catch {
      return eventLoop.makeFailedFuture(error)
    }
  }

  func close(_ closure: WebSocketClosure) {
    perform(session.close(closure, now: eventLoop.now))
  }

  // MARK: The client's side

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    rearm()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    perform(session.departed())
    self.context = nil
    // The messages hold it, and this holds the messages.
    demand.channel.value = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    perform(session.departed())
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    perform(session.received(unwrapInboundIn(data), now: eventLoop.now))
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    session.bytesEnded(now: eventLoop.now)
    rearm()
    context.fireChannelReadComplete()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ArrivalHandler.Arrival:
      session.bytesArrived()
      return
    case let event as ChannelEvent where event == .inputClosed: perform(session.departed())
    case _: break
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case let closure as WebSocketClosure: perform(session.failed(closure, now: eventLoop.now))
    case is NIOWebSocketError:
      let closure = WebSocketClosure(.messageTooBig, "A message is larger than what is taken.")
      perform(session.failed(closure, now: eventLoop.now))
    // The decoder takes nothing more after an error of its own.
    case is ByteToMessageDecoderError: break
    case _: context.fireErrorCaught(error)
    }
  }

  func read(context: ChannelHandlerContext) {
    if isListening { context.read() } else { isReadPending = true }
  }

  // MARK: Actions

  private func perform(_ actions: [WebSocketSession.Action]) {
    for action in actions { perform(action) }
    rearm()
  }

  private func perform(_ action: WebSocketSession.Action) {
    switch action {
    case .deliver(let message):
      switch messages.yield(message) {
      case .stopProducing: listen(false)
      case .produceMore, .dropped: break
      }
    case .sendPing:
      if let context { send(.ping, ByteBuffer(), over: context, nil) }
    case .sendPong(let payload):
      guard let context else { return }
      let promise = eventLoop.makePromise(of: Void.self)
      promise.futureResult.assumeIsolated().whenComplete { _ in self.perform(self.session.pongEnded()) }
      send(.pong, payload, over: context, promise)
    case .sendClose(let closure):
      if let context { send(.connectionClose, closure.payload, over: context, nil) }
      // The client's answer is to be read, whatever waits.
      listen(true)
    case .endMessages(let code, let message):
      if let code { messages.finish(WebSocketError(code, message)) } else { messages.finish() }
      end.finish()
    case .disconnect: context?.close(promise: nil)
    }
  }

  private func send(
    _ opcode: WebSocketOpcode, _ payload: ByteBuffer, over context: ChannelHandlerContext,
    _ promise: EventLoopPromise<Void>?
  ) {
    let frame = WebSocketFrame(fin: true, opcode: opcode, data: payload)
    context.writeAndFlush(wrapOutboundOut(frame), promise: promise)
  }

  private func listen(_ isWanted: Bool) {
    isListening = isWanted
    session.listening(isWanted, now: eventLoop.now)
    guard isWanted, isReadPending else { return }
    isReadPending = false
    context?.read()
  }

  /// Sees to it that the session gets the time when it asks for it; a deadline that moves on needs no other alarm.
  private func rearm() {
    guard context != nil, let deadline = session.deadline else {
      alarm?.task.cancel()
      alarm = nil
      return
    }
    if let alarm, alarm.at <= deadline { return }
    alarm?.task.cancel()
    let task = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
      self.alarm = nil
      self.perform(self.session.timePassed(now: self.eventLoop.now))
    }
    alarm = (deadline, task)
  }
}

/// Reports to the handlers behind it that bytes have arrived, of which the decoder between may not make a frame yet.
private final class ArrivalHandler: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  struct Arrival: Sendable {}

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.fireUserInboundEventTriggered(Arrival())
    context.fireChannelRead(data)
  }
}
