import EventStream
import HTTPTypes
import Logging
import StreamTransport
import Testing

// The article “Reading an event stream” shows this function; Tools/check compares the two.

/// Follows the events under `path` until `show` has seen enough: over HTTP/3, or HTTP/1.1 where UDP does not pass.
func follow(_ path: String, at origin: Origin, tls: TLSOptions, show: (ServerSentEvent) -> Bool) async throws {
  let logger = Logger(label: "app")
  let racing = RacingTransport(
    http3: HTTP3Transport(origin: origin, tls: tls, logger: logger),
    http1: HTTP1Transport(origin: origin, tls: tls, proxies: .environment, logger: logger))
  try await withTransport(racing) { transport in
    let source = EventSourceClient(transport: transport, logger: logger)
    for try await case .event(let event, _) in source.updates({ _ in EventSourceRequest(path: path) }) {
      guard show(event) else { break }
    }
  }
}

@Suite("Embedding example")
struct EmbeddingExample {
  @Test("the article's client reads a server's events", .timeLimit(.minutes(10)))
  func readsEvents() async throws {
    let certificate = try DevelopmentCertificate.make()
    let server = HTTP3Server(
      HTTP3ServerConfiguration(
        address: "127.0.0.1", port: 0, certificatePEM: certificate.certificatePEM,
        privateKeyPEM: certificate.privateKeyPEM),
      logger: Logger(label: "server")
    ) { exchange in
      try? await exchange.respond(HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"]))
      for word in ["one", "two", "three"] {
        try? await exchange.write(Array("event: word\ndata: \(word)\n\n".utf8))
      }
      try? await exchange.finish()
    }
    let port = try await server.start()

    var words: [String] = []
    try await follow(
      "/words", at: Origin(scheme: .https, host: "127.0.0.1", port: port),
      tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM))
    ) { event in
      words.append("\(event.type) \(event.data)")
      return words.count < 3
    }
    await server.close()

    #expect(words == ["word one", "word two", "word three"])
  }
}
