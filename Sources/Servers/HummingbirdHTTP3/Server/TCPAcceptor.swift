import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle
import StreamTransport

/// Accepts TCP connections and serves each, until it is shut down; then it accepts no more, and ends when all are closed.
///
/// In place of Hummingbird's own server, which serves no socket that it has not bound itself.
struct TCPAcceptor<Connection: ServerChildChannel>: Service {
  /// The clients that the kernel lets connect before they are accepted; more have to try again.
  private static var queue: CInt { 256 }

  let place: TCPPlace
  let connection: Connection
  /// Connections that are accepted at once; others wait in the kernel's queue.
  let maximumConnections: Int
  let logger: Logger
  /// Called with the port once connections are accepted.
  let onListening: @Sendable (Int) -> Void

  func run() async throws {
    let quiescing = ServerQuiescingHelper(group: MultiThreadedEventLoopGroup.singleton)
    let (listener, port) = try await listen(quiescing)
    await withGracefulShutdownHandler {
      onListening(port)
      await serve(listener)
    } onGracefulShutdown: {
      quiescing.initiateShutdown(promise: nil)
    }
  }

  private func serve(_ listener: NIOAsyncChannel<Connection.Value, Never>) async {
    await withDiscardingTaskGroup { group in
      do {
        try await listener.executeThenClose { accepted in
          for try await value in accepted {
            group.addTask { await connection.handle(value: value, logger: logger) }
          }
        }
      } catch {
        logger.error("TCP connections are no longer accepted: \(error)")
      }
    }
  }

  private func listen(
    _ quiescing: ServerQuiescingHelper
  ) async throws -> (NIOAsyncChannel<Connection.Value, Never>, port: Int) {
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(ChannelOptions.backlog, value: Self.queue)
      .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
      .serverChannelInitializer { [maximumConnections, logger] channel in
        channel.eventLoop.makeCompletedFuture {
          let places = MaximumAvailableConnections(maximumConnections, logger: logger)
          try channel.pipeline.syncOperations.addHandler(AvailableConnectionsChannelHandler(delegate: places))
          try channel.pipeline.syncOperations.addHandler(quiescing.makeServerChannelHandler(channel: channel))
        }
      }
    switch place {
    case .address(let address, let port):
      let listener = try await bootstrap.bind(host: address, port: port) { channel in
        connection.setup(channel: channel, logger: logger)
      }
      return (listener, listener.channel.localAddress?.port ?? port)
    case .socket(let socket):
      let number = try socket.take(.tcp)
      let listener = try await bootstrap.bind(number) { channel in
        connection.setup(channel: channel, logger: logger)
      }
      // SwiftNIO has shortened the queue to 128, before it looks at its options.
      _ = Glibc.listen(number, SOMAXCONN)
      return (listener, socket.port)
    }
  }
}
