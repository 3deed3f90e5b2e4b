import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The harness's side on loopback: an event stream that a test writes, and the callbacks' URL.
final class HarnessStandIn: Sendable {
  struct Callback: Equatable, Sendable {
    var number: String
    var json: String
  }

  /// One request for the stream, and what writes its response.
  struct Connection: Sendable {
    let lastEventID: String?
    let write: AsyncStream<String>.Continuation
  }

  let connections: AsyncStream<Connection>
  let callbacks: AsyncStream<Callback>
  private let newConnection: AsyncStream<Connection>.Continuation
  private let newCallback: AsyncStream<Callback>.Continuation

  init() {
    (connections, newConnection) = AsyncStream.makeStream()
    (callbacks, newCallback) = AsyncStream.makeStream()
  }

  /// Runs `body` with the base URL.
  func run(_ body: @Sendable @escaping (String) async throws -> Void) async throws {
    let router = Router()
    router.get("stream") { [self] request, _ in stream(request) }
    router.post("callback/:number") { [self] request, context in
      let bytes = try await request.body.collect(upTo: 1 << 20)
      newCallback.yield(
        Callback(
          number: context.parameters.get("number") ?? "", json: String(decoding: bytes.readableBytesView, as: UTF8.self)
        ))
      return HTTPResponse.Status.accepted
    }
    let logger = Logger(label: "harness") { _ in SwiftLogNoOpLogHandler() }
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: logger)
    let services = ServiceGroup(configuration: .init(services: [application], logger: logger))
    let server = Task { try await services.run() }
    let number = await ports.first { _ in true } ?? 0
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body("http://127.0.0.1:\(number)")) } catch { outcome = .failure(error) }
    await services.triggerGracefulShutdown()
    try await server.value
    try outcome.get()
  }

  private func stream(_ request: Request) -> Response {
    let (texts, write) = AsyncStream.makeStream(of: String.self)
    let id = HTTPField.Name("last-event-id").flatMap { request.headers[$0] }
    newConnection.yield(Connection(lastEventID: id, write: write))
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream"],
      body: .init { writer in
        for await text in texts { try await writer.write(ByteBuffer(string: text)) }
        try await writer.finish(nil)
      })
  }
}
