import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import StreamTransport
import Synchronization

/// A small HTTP/1.1 server on the loopback address, with or without TLS.
struct HTTP1TestServer: Sendable {
  typealias Handler = @Sendable (any ConformanceExchange) async throws -> Void
  typealias HTTPChannel = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

  let port: Int
  let accepted: Accepted

  /// Runs a server as long as `body` runs.
  static func run<Value: Sendable>(
    _ certificate: DevelopmentCertificate?, handler: @escaping Handler,
    body: (HTTP1TestServer) async throws -> Value
  ) async throws -> Value {
    let accepted = Accepted()
    let tls = try certificate.map { try TestTLS.context($0) }
    return try await TestListener.run { channel in
      accepted.add()
      let pipeline = channel.pipeline.syncOperations
      if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
      try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false)
    } serve: { channel, _ in
      await serve(try await TestListener.wrap(channel, HTTPChannel.self), handler)
    } body: { port in
      try await body(HTTP1TestServer(port: port, accepted: accepted))
    }
  }

  private static func serve(_ connection: HTTPChannel, _ handler: @escaping Handler) async {
    try? await connection.executeThenClose { inbound, outbound in
      var parts = inbound.makeAsyncIterator()
      while case .head(let head)? = try await parts.next() {
        let body = BodyChannel()
        let exchange = HTTP1ServerExchange(head: head, body: body, outbound: outbound, channel: connection.channel)
        async let answer: Void = handler(exchange)
        reading: while let part = try await parts.next() {
          switch part {
          case .body(let buffer): body.yield(Array(buffer.readableBytesView))
          case .end:
            body.finish()
            break reading
          case .head: break reading
          }
        }
        body.finish(throwing: CancellationError())
        try await answer
      }
    }
  }

  /// Counts the connections that were accepted.
  final class Accepted: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    fileprivate func add() { value.withLock { $0 += 1 } }
  }
}

struct HTTP1ServerExchange: ConformanceExchange {
  let request: HTTPRequest
  let body: ResponseBody
  private let outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
  private let channel: any Channel

  init(
    head: HTTPRequestHead, body: BodyChannel, outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>,
    channel: any Channel
  ) {
    var fields = HTTPFields()
    for (name, value) in head.headers where name.lowercased() != "host" {
      guard let name = HTTPField.Name(name) else { continue }
      fields.append(HTTPField(name: name, value: value))
    }
    request = HTTPRequest(
      method: .init(head.method.rawValue) ?? .get, scheme: "https", authority: head.headers.first(name: "host"),
      path: head.uri, headerFields: fields)
    self.body = ResponseBody(body)
    self.outbound = outbound
    self.channel = channel
  }

  func sendInformational(_ response: HTTPResponse) async throws { try await respond(response) }

  func respond(_ response: HTTPResponse) async throws {
    let headers = HTTPHeaders(response.headerFields)
    let status = HTTPResponseStatus(statusCode: response.status.code)
    try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
  }

  func write(_ bytes: [UInt8]) async throws {
    try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
  }

  func finish(trailers: HTTPFields?) async throws { try await outbound.write(.end(trailers.map { HTTPHeaders($0) })) }

  func abort() async { try? await channel.close() }
}

extension HTTPHeaders {
  fileprivate init(_ fields: HTTPFields) {
    self.init(fields.map { ($0.name.canonicalName, $0.value) })
  }
}

/// TLS for servers in tests.
enum TestTLS {
  static func context(
    _ certificate: DevelopmentCertificate, applicationProtocols: [String] = ["http/1.1"]
  ) throws -> NIOSSLContext {
    let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.certificatePEM.utf8))
    let key = try NIOSSLPrivateKey(bytes: Array(certificate.privateKeyPEM.utf8), format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.applicationProtocols = applicationProtocols
    return try NIOSSLContext(configuration: configuration)
  }
}
