package import NIOCore

/// One message a line, as codex has it on its standard input and output.
package final class JSONLinesHandler: ChannelDuplexHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = [UInt8]
  package typealias OutboundIn = [UInt8]
  package typealias OutboundOut = ByteBuffer

  private enum State {
    case splitting(LineSplitter)
    case failed
  }

  private var state: State

  package init(limit: Int) {
    state = .splitting(LineSplitter(limit: limit))
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .splitting(var splitter) = state else { return }
    state = .failed
    do {
      let lines = try splitter.append(unwrapInboundIn(data).readableBytesView)
      state = .splitting(splitter)
      for line in lines { context.fireChannelRead(wrapInboundOut(line)) }
    } catch {
      context.fireErrorCaught(error)
    }
  }

  package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let message = unwrapOutboundIn(data)
    var buffer = context.channel.allocator.buffer(capacity: message.count + 1)
    buffer.writeBytes(message)
    buffer.writeInteger(UInt8(ascii: "\n"))
    context.write(wrapOutboundOut(buffer), promise: promise)
  }
}
