import HTTPTypes
import Hummingbird
import Logging
import StreamTransport

/// The service's resources (docs/service_spec.md of sse-contract-tests).
struct ContractRoutes: Sendable {
  /// The client's abilities beyond the standard (docs/optional_features.md).
  static let capabilities = [
    "comments", "headers", "last-event-id", "post", "report", "read-timeout", "restart", "bom",
    "server-directed-shutdown-request",
  ]

  let streams: ContractStreams
  let logger: Logger
  /// Ends the service.
  let stop: @Sendable () -> Void

  init(streams: ContractStreams, logger: Logger, stop: @escaping @Sendable () -> Void) {
    self.streams = streams
    self.logger = logger
    self.stop = stop
  }

  private struct Status: ResponseEncodable {
    let name = "agent-stream"
    let capabilities = ContractRoutes.capabilities
  }

  private struct Command: Decodable {
    var command: String
  }

  func router() -> Router<BasicRequestContext> {
    let router = Router(context: BasicRequestContext.self)
    router.get("/") { _, _ in Status() }
    router.delete("/") { _, _ in
      stop()
      return Response(status: .noContent)
    }
    router.post("/") { request, context in try await create(request, context) }
    router.post("/streams/:id") { request, context in try await command(request, context) }
    router.delete("/streams/:id") { _, context in
      guard let stream = await streams.remove(try context.parameters.require("id")) else { throw Self.unknown }
      await stream.close()
      return Response(status: .noContent)
    }
    return router
  }

  private func create(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
    let parameters = try await request.decode(as: StreamParameters.self, context: context)
    var logger = logger
    logger[metadataKey: "test"] = "\(parameters.tag)"
    let transport = HTTP1Transport(
      origin: parameters.origin, tls: TLSOptions(), allowsPlaintext: true, logger: logger)
    let id = await streams.add { [logger] in
      ContractStream(
        parameters, over: transport, logger: logger, deliver: CallbackSender(url: parameters.callbackURL).send)
    }
    guard let id else {
      throw HTTPError(.serviceUnavailable, message: "\(ContractStreams.limit) streams are open; close one first.")
    }
    let path = "/streams/\(id)"
    return Response(
      status: .created, headers: [.location: request.head.authority.map { "http://\($0)\(path)" } ?? path])
  }

  private func command(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
    guard let stream = await streams.stream(try context.parameters.require("id")) else { throw Self.unknown }
    let name = try await request.decode(as: Command.self, context: context).command
    guard name == "restart" else {
      throw HTTPError(.badRequest, message: "'\(name)' is no command; there is only 'restart'.")
    }
    await stream.restart()
    return Response(status: .accepted)
  }

  private static let unknown = HTTPError(.notFound, message: "There is no such stream; it may have been closed.")
}
