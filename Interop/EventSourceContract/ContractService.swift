import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// The service on a port of 127.0.0.1: it sends requests to any address that it is given, so no other host may reach it.
struct ContractService {
  /// 0 takes a free one.
  var port: Int
  /// The signals that end it, beside the harness.
  var signals: [UnixSignal] = []
  var logger: Logger

  /// Serves to the end; `onListening` receives the port.
  func run(onListening: @escaping @Sendable (Int) -> Void) async throws {
    let (orders, order) = AsyncStream.makeStream(of: Void.self)
    let streams = ContractStreams()
    let routes = ContractRoutes(streams: streams, logger: logger) { order.finish() }
    let application = Application(
      router: routes.router(), configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { onListening($0.localAddress?.port ?? 0) }, logger: logger)
    let services = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [
          .init(service: application),
          .init(service: StopOrder(orders: orders), successTerminationBehavior: .gracefullyShutdownGroup),
        ],
        gracefulShutdownSignals: signals, logger: logger))
    try await services.run()
    await streams.closeAll()
  }

  /// Runs until it is ordered to stop, and the others with it.
  private struct StopOrder: Service {
    let orders: AsyncStream<Void>

    func run() async {
      for await _ in orders.cancelOnGracefulShutdown() {}
    }
  }
}
