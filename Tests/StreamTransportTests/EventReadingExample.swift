import EventStream
import Foundation
import HTTPTypes
import Logging
import StreamTransport
import Synchronization
import Testing

/// The README's client. `Tools/check` compares the two.
@Suite("Example: reading an event stream")
struct EventReadingExample {
  @Test("prints each event and ends with the server's 204", .timeLimit(.minutes(10)))
  func readsEvents() async throws {
    let certificate = try DevelopmentCertificate.make()
    let logger = Logger(label: "example") { _ in SwiftLogNoOpLogHandler() }
    let requests = Mutex(0)
    let server = HTTP3Server(
      HTTP3ServerConfiguration(
        address: "127.0.0.1", port: 0, certificatePEM: certificate.certificatePEM,
        privateKeyPEM: certificate.privateKeyPEM),
      logger: logger
    ) { exchange in
      let count = requests.withLock { count in
        count += 1
        return count
      }
      if count == 1 {
        try? await exchange.respond(HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"]))
        try? await exchange.write(Array("retry: 1\ndata: one\n\ndata: two\n\n".utf8))
      } else {
        try? await exchange.respond(HTTPResponse(status: .noContent))
      }
      try? await exchange.finish()
    }
    let origin = Origin(scheme: .https, host: "127.0.0.1", port: try await server.start())
    let tls = TLSOptions(trust: .certificates(pem: certificate.certificatePEM))
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }

    let transport = RacingTransport(
      http3: HTTP3Transport(origin: origin, tls: tls, logger: logger),
      http1: HTTP1Transport(origin: origin, tls: tls, logger: logger))
    let client = EventSourceClient(transport: transport, logger: logger)
    for try await case .event(let event, _) in client.updates({ _ in EventSourceRequest(path: "/events") }) {
      print(event.data)
    }

    await transport.close()
    await server.close()
    #expect(printed == ["one", "two"])
  }
}
