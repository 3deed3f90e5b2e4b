import HTTPTypes
import Hummingbird
import HummingbirdHTTP3
import Logging
import NIOCore
import ResolveKitCore
import ServiceLifecycle
import StreamTransport
import Synchronization
import TestSupport

/// An OpenAI-compatible endpoint on loopback that answers each request with the next of its scripts.
final class ModelEndpoint: Sendable {
  /// The answer to one request: a status and the body's chunks, each written on its own.
  struct Answer: Sendable {
    var status = HTTPResponse.Status.ok
    var contentType = "text/event-stream"
    var chunks: [String] = []
    /// Chunks that need not be text; after those that are.
    var bytes: [[UInt8]] = []
    /// Breaks the connection off behind the last chunk, when the gate is open.
    var breaksOff = false
    var gate: Gate?

    /// Events with these JSON texts, and the end mark.
    static func events(_ data: [String]) -> Answer {
      Answer(chunks: (data + ["[DONE]"]).map { "data: \($0)\n\n" })
    }
  }

  struct Received: Sendable {
    var authorization: String?
    var body: JSONObject
  }

  private struct BrokenOff: Error {}

  private let state: Mutex<(answers: [Answer], received: [Received])>

  init(_ answers: [Answer]) {
    state = Mutex((answers, []))
  }

  var received: [Received] { state.withLock { $0.received } }

  /// Whom a model behind `https` is trusted by.
  static let tls = TLSOptions(trust: .certificates(pem: TestCertificate.p256.certificatePEM))

  /// Runs `body` with the endpoint's base URL: `http`, or `https` with HTTP/3 beside HTTP/1.1.
  func run(_ scheme: Origin.Scheme = .http, _ body: @Sendable @escaping (String) async throws -> Void) async throws {
    let router = Router()
    router.post("v1/chat/completions") { [self] request, _ in try await answer(request) }
    switch scheme {
    case .http: try await runPlaintext(router, body)
    case .https: try await runEncrypted(router, body)
    }
  }

  private static var logger: Logger { Logger(label: "endpoint") { _ in SwiftLogNoOpLogHandler() } }

  private func runEncrypted(
    _ router: Router<BasicRequestContext>, _ body: @Sendable @escaping (String) async throws -> Void
  ) async throws {
    let certificate = TestCertificate.p256
    let server = MultiProtocolServer(
      responder: router.buildResponder(),
      configuration: MultiProtocolConfiguration(
        certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM,
        drainTimeout: .seconds(5)), logger: Self.logger)
    let port = try await server.start()
    do {
      try await body("https://localhost:\(port)/v1")
    } catch {
      await server.shutdown()
      throw error
    }
    await server.shutdown()
  }

  private func runPlaintext(
    _ router: Router<BasicRequestContext>, _ body: @Sendable @escaping (String) async throws -> Void
  ) async throws {
    let (ports, sink) = AsyncStream<Int>.makeStream()
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in sink.yield(channel.localAddress?.port ?? 0) }, logger: Self.logger)
    let services = ServiceGroup(configuration: .init(services: [application], logger: Self.logger))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await services.run() }
      for await port in ports {
        do {
          try await body("http://127.0.0.1:\(port)/v1")
        } catch {
          await services.triggerGracefulShutdown()
          throw error
        }
        break
      }
      await services.triggerGracefulShutdown()
      try await group.waitForAll()
    }
  }

  private func answer(_ request: Request) async throws -> Response {
    let buffer = try await request.body.collect(upTo: 1 << 20)
    let json = try JSONValue(parsing: Array(buffer.readableBytesView))
    let answer = state.withLock { state in
      state.received.append(
        Received(authorization: request.headers[.authorization], body: json.objectValue ?? [:]))
      return state.answers.isEmpty ? Answer(status: .internalServerError) : state.answers.removeFirst()
    }
    return Response(
      status: answer.status, headers: [.contentType: answer.contentType],
      body: .init { writer in
        for chunk in answer.chunks { try await writer.write(ByteBuffer(string: chunk)) }
        for chunk in answer.bytes { try await writer.write(ByteBuffer(bytes: chunk)) }
        await answer.gate?.wait()
        if answer.breaksOff { throw BrokenOff() }
        try await writer.finish(nil)
      })
  }
}
