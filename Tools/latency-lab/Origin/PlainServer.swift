import Hummingbird
import Logging
import NIOPosix
import Synchronization

/// The origin over plain HTTP/1.1 on this machine, for a foreign server that stands in front of it.
final class PlainServer: Sendable {
  private let routes: OriginRoutes
  private let port: Int
  private let logger: Logger
  private let running = Mutex<Task<Void, Never>?>(nil)

  init(routes: OriginRoutes, port: Int, logger: Logger) {
    self.routes = routes
    self.port = port
    self.logger = logger
  }

  /// Binds and serves; returns the port. Throws what binding throws.
  func start() async throws -> Int {
    let (ports, sink) = AsyncThrowingStream<Int, any Error>.makeStream()
    let application = Application(
      router: routes.makeRouter(),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: nil),
      onServerRunning: { [port] channel in
        sink.yield(channel.localAddress?.port ?? port)
        sink.finish()
      }, eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton), logger: logger)
    let task = Task {
      do {
        try await application.run()
        sink.finish()
      } catch {
        sink.finish(throwing: error)
      }
    }
    running.withLock { $0 = task }
    for try await port in ports { return port }
    throw CancellationError()
  }

  /// Cuts off what runs.
  func stop() async {
    let task = running.withLock { $0 }
    task?.cancel()
    await task?.value
  }
}
