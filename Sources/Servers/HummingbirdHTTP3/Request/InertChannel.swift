package import NIOCore
import Synchronization

/// A channel that carries nothing: what a Hummingbird context is given on HTTP/3, where there is no SwiftNIO channel.
///
/// It reports the peer's address and an event loop. Reading, writing and changing options fail.
package final class InertChannel: Channel, ChannelCore {
  package let allocator = ByteBufferAllocator()
  package let eventLoop: any EventLoop
  package let remoteAddress: SocketAddress?
  package var localAddress: SocketAddress? { nil }
  package var parent: (any Channel)? { nil }
  package var isWritable: Bool { false }
  package var isActive: Bool { false }
  /// Nil until somebody wants to know: keeping a promise wakes the thread of its event loop.
  private let closePromise = Mutex<EventLoopPromise<Void>?>(nil)

  package init(remoteAddress: SocketAddress?, eventLoop: any EventLoop) {
    self.remoteAddress = remoteAddress
    self.eventLoop = eventLoop
  }

  /// SwiftNIO traps in debug builds on a promise that was not fulfilled.
  deinit { closePromise.withLock { $0 }?.succeed() }

  package var closeFuture: EventLoopFuture<Void> {
    closePromise.withLock { promise in
      let made = promise ?? eventLoop.makePromise(of: Void.self)
      promise = made
      return made.futureResult
    }
  }
  /// A pipeline of its own for each caller: one that was kept would keep the channel alive, as it refers back to it.
  package var pipeline: ChannelPipeline { ChannelPipeline(channel: self) }
  package var _channelCore: any ChannelCore { self }

  package func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) -> EventLoopFuture<Void> {
    eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
  }

  package func getOption<Option: ChannelOption>(_ option: Option) -> EventLoopFuture<Option.Value> {
    eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
  }

  package func localAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }

  package func remoteAddress0() throws -> SocketAddress {
    guard let remoteAddress else { throw ChannelError.unknownLocalAddress }
    return remoteAddress
  }

  package func register0(promise: EventLoopPromise<Void>?) { refuse(promise) }
  package func registerAlreadyConfigured0(promise: EventLoopPromise<Void>?) { refuse(promise) }
  package func bind0(to: SocketAddress, promise: EventLoopPromise<Void>?) { refuse(promise) }
  package func connect0(to: SocketAddress, promise: EventLoopPromise<Void>?) { refuse(promise) }
  package func write0(_ data: NIOAny, promise: EventLoopPromise<Void>?) { refuse(promise) }
  package func flush0() {}
  package func read0() {}
  package func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) { refuse(promise) }
  package func triggerUserOutboundEvent0(_ event: Any, promise: EventLoopPromise<Void>?) { refuse(promise) }
  package func channelRead0(_ data: NIOAny) {}
  package func errorCaught0(error: any Error) {}

  private func refuse(_ promise: EventLoopPromise<Void>?) {
    promise?.fail(ChannelError.operationUnsupported)
  }
}
