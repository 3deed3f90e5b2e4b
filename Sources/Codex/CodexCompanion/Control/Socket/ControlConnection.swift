import Glibc
import NIOCore

/// The server's side of one connection: one command in, one reply out, closed.
///
/// Each of the three has its time; a peer that is too slow is closed, and a command that takes too long is refused.
final class ControlConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum State {
    /// The kernel is asked who the peer is, and nothing is read.
    case opening
    case reading(ControlLine, limit: Scheduled<Void>)
    case answering(Task<Void, Never>, limit: Scheduled<Void>)
    case replying(limit: Scheduled<Void>)
    case closed
  }

  private let limits: ControlLimits
  private let peerUser: @Sendable (any Channel) -> EventLoopFuture<uid_t>
  private let responder: any ControlResponder
  private var state = State.opening

  init(
    limits: ControlLimits, peerUser: @escaping @Sendable (any Channel) -> EventLoopFuture<uid_t>,
    responder: any ControlResponder
  ) {
    self.limits = limits
    self.peerUser = peerUser
    self.responder = responder
  }

  func channelActive(context: ChannelHandlerContext) {
    let own = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    peerUser(context.channel).whenComplete { result in
      let (connection, context) = own.value
      connection.opened(by: try? result.get(), context)
    }
    context.fireChannelActive()
  }

  private func opened(by user: uid_t?, _ context: ChannelHandlerContext) {
    guard case .opening = state else { return }
    // Nobody else's, not even root's: who controls the companion controls Codex.
    guard user == geteuid() else { return close(context) }
    state = .reading(
      ControlLine(limit: limits.commandBytes),
      limit: after(limits.commandTime, context) { connection, context in connection.close(context) })
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    switch state {
    case .reading(var line, let limit):
      do throws(ControlError) {
        guard let whole = try line.take(bytes.readableBytesView) else {
          state = .reading(line, limit: limit)
          return context.read()
        }
        let command = try ControlCommand(line: whole)
        limit.cancel()
        perform(command, context)
      } catch {
        limit.cancel()
        reply(.refused(ControlRefusal(.invalidCommand, error.message)), context)
      }
    // Nothing is asked for there.
    case .opening, .answering, .replying, .closed: break
    }
  }

  private func perform(_ command: ControlCommand, _ context: ChannelHandlerContext) {
    let loop = context.eventLoop
    let own = NIOLoopBound((self, context), eventLoop: loop)
    let task = Task { [responder] in
      let reply = await responder.answer(command)
      loop.execute {
        let (connection, context) = own.value
        connection.answered(reply, context)
      }
    }
    let limit = after(limits.answerTime, context) { connection, context in
      task.cancel()
      connection.answered(
        .refused(ControlRefusal(.timedOut, "The companion took too long; look into its log, or restart it.")),
        context)
    }
    state = .answering(task, limit: limit)
  }

  private func answered(_ reply: ControlReply, _ context: ChannelHandlerContext) {
    guard case .answering(_, let limit) = state else { return }
    limit.cancel()
    self.reply(reply, context)
  }

  private func reply(_ reply: ControlReply, _ context: ChannelHandlerContext) {
    state = .replying(
      limit: after(limits.replyTime, context) { connection, context in connection.close(context) })
    let own = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: reply.line(limit: limits.replyBytes))))
      .whenComplete { _ in
        let (connection, context) = own.value
        connection.close(context)
      }
  }

  /// A command whose end will not come.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .reading = state, case .some(.inputClosed) = event as? ChannelEvent { return close(context) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { close(context) }

  private func close(_ context: ChannelHandlerContext) {
    end()
    context.close(promise: nil)
  }

  /// A command that runs is done to its end: it may have had its effect.
  private func end() {
    switch state {
    case .reading(_, let limit), .answering(_, let limit), .replying(let limit): limit.cancel()
    case .opening, .closed: break
    }
    state = .closed
  }

  private func after(
    _ time: Duration, _ context: ChannelHandlerContext,
    _ action: @escaping @Sendable (ControlConnection, ChannelHandlerContext) -> Void
  ) -> Scheduled<Void> {
    let own = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    return context.eventLoop.scheduleTask(in: TimeAmount(time)) {
      let (connection, context) = own.value
      action(connection, context)
    }
  }
}
