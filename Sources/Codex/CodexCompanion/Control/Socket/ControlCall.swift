import Glibc
import NIOCore

/// The client's side of one connection: sends a command and collects its reply.
final class ControlCall: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum State {
    /// The kernel is asked who the peer is; nothing was sent.
    case opening
    case waiting(ControlLine)
    case done
  }

  private let command: ControlCommand
  private let replyBytes: Int
  private let promise: EventLoopPromise<ControlReply>
  private let peerUser: @Sendable (any Channel) -> EventLoopFuture<uid_t>
  private var state = State.opening

  init(
    _ command: ControlCommand, replyBytes: Int, promise: EventLoopPromise<ControlReply>,
    peerUser: @escaping @Sendable (any Channel) -> EventLoopFuture<uid_t>
  ) {
    self.command = command
    self.replyBytes = replyBytes
    self.promise = promise
    self.peerUser = peerUser
  }

  func channelActive(context: ChannelHandlerContext) {
    let own = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    peerUser(context.channel).whenComplete { result in
      let (call, context) = own.value
      call.opened(by: try? result.get(), context)
    }
    context.fireChannelActive()
  }

  private func opened(by user: uid_t?, _ context: ChannelHandlerContext) {
    guard case .opening = state else { return }
    guard user == geteuid() else {
      return end(
        .failure(
          ControlError(
            .foreignUser, "The control socket belongs to another user; run this program as the user of the companion.")),
        context)
    }
    state = .waiting(ControlLine(limit: replyBytes))
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: command.line)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .waiting(var line) = state else { return }
    do throws(ControlError) {
      guard let whole = try line.take(unwrapInboundIn(data).readableBytesView) else {
        state = .waiting(line)
        return
      }
      end(.success(try ControlReply(line: whole)), context)
    } catch {
      end(.failure(error), context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(
      .failure(
        ControlError(.connection, "The companion closed the connection without a reply; it may be busy, so try again.")),
      context)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    end(
      .failure(ControlError(.connection, "The connection to the companion broke: \(error).", cause: error)), context)
  }

  private func end(_ result: Result<ControlReply, ControlError>, _ context: ChannelHandlerContext) {
    guard !isDone else { return }
    state = .done
    promise.completeWith(result.mapError { $0 as any Error })
    context.close(promise: nil)
  }

  private var isDone: Bool {
    switch state {
    case .done: true
    case .opening, .waiting: false
    }
  }
}
