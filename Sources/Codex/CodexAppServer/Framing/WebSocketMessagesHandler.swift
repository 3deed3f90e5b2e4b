package import NIOCore
package import NIOWebSocket

/// One message a text frame, as codex has it on its socket. The handler stands above a decoder and an encoder of frames.
package final class WebSocketMessagesHandler: ChannelDuplexHandler {
  package typealias InboundIn = WebSocketFrame
  package typealias InboundOut = [UInt8]
  package typealias OutboundIn = [UInt8]
  package typealias OutboundOut = WebSocketFrame

  private enum State {
    case open(WebSocketAssembler)
    /// A close frame was sent.
    case closed
  }

  private var state: State
  private let limit: Int
  private let mask: () -> WebSocketMaskingKey

  /// - Parameter mask: a new key for each frame, which the server must not foresee (RFC 6455 § 5.3).
  package init(limit: Int, mask: @escaping () -> WebSocketMaskingKey = { .random() }) {
    state = .open(WebSocketAssembler(limit: limit))
    self.limit = limit
    self.mask = mask
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .open(var assembler) = state else { return }
    state = .closed
    let outcome: WebSocketAssembler.Outcome
    do {
      outcome = try assembler.append(unwrapInboundIn(data))
    } catch {
      state = .open(assembler)
      return fail(error, context)
    }
    state = .open(assembler)
    switch outcome {
    case .nothing: break
    case .message(let bytes): context.fireChannelRead(wrapInboundOut(bytes))
    case .ping(let data):
      // A peer that pings and does not read must not make the queue grow; RFC 6455 § 5.5.3 lets pongs be left out.
      if context.channel.isWritable { send(.pong, data, context) }
    case .close(let code, let reason):
      let closing = code.map { "code \($0)\(reason.isEmpty ? "" : ", \(reason.debugDescription)")" } ?? "no code"
      sendClose(.normalClosure, context)
      context.fireErrorCaught(
        AppServerError(.connectionLost, "Codex closed the connection (\(closing)); connect again."))
    }
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case NIOWebSocketError.invalidFrameLength: fail(.tooLarge(limit: limit), context)
    case is NIOWebSocketError: fail(.webSocket("a frame is malformed", cause: error), context)
    default: context.fireErrorCaught(error)
    }
  }

  package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .open = state else {
      promise?.fail(ChannelError.outputClosed)
      return
    }
    let data = ByteBuffer(bytes: unwrapOutboundIn(data))
    let frame = WebSocketFrame(fin: true, opcode: .text, maskKey: mask(), data: data)
    context.write(wrapOutboundOut(frame), promise: promise)
  }

  /// Sends a close frame before the connection is closed from here.
  package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    sendClose(.normalClosure, context)
    context.close(mode: mode, promise: promise)
  }

  private func fail(_ error: AppServerError, _ context: ChannelHandlerContext) {
    sendClose(error.code == .tooLarge ? .messageTooLarge : .protocolError, context)
    context.fireErrorCaught(error)
  }

  private func sendClose(_ code: WebSocketErrorCode, _ context: ChannelHandlerContext) {
    guard case .open = state, context.channel.isActive else { return }
    state = .closed
    var data = ByteBuffer()
    data.write(webSocketErrorCode: code)
    send(.connectionClose, data, context)
  }

  private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
    let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: mask(), data: data)
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }
}
