import EventLedger
import EventStream
import Foundation
import HTTPTypes
import Logging
import ResolveKitCore
import StreamTransport
import TestSupport
import Testing

@testable import WorkerRuntime

/// The whole runtime on loopback sockets.
@Suite(.timeLimit(.minutes(10)))
struct ServerTests {
  private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  private func request(
    _ method: HTTPRequest.Method, _ path: String, _ token: String, prefer: String? = nil
  ) -> HTTPRequest {
    var request = HTTPRequest(
      method: method, scheme: nil, authority: nil, path: RuntimeUnderTest.base + path)
    request.headerFields[.authorization] = "Bearer \(token)"
    request.headerFields[named: "prefer"] = prefer
    return request
  }

  @Test func readersOverHTTP3AndHTTP1SeeTheSameEventsUntilTheRuntimeDrains() async throws {
    let certificate = try DevelopmentCertificate.make()
    let server = WorkerServer(
      RuntimeConfiguration(
        address: "127.0.0.1", port: 0,
        identities: [
          ServerIdentity(certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM)
        ]),
      ledger: try SQLiteEventLedger.open(path: nil), logger: Self.logger)
    let port = try await server.start()
    let token = try await server.core.accounts.issue(to: "ana@example.com", name: "test").secret
    let origin = Origin(scheme: .https, host: "127.0.0.1", port: port)
    let tls = TLSOptions(trust: .certificates(pem: certificate.certificatePEM))
    let clients: [any HTTPTransport] = [
      HTTP3Transport(origin: origin, tls: tls, logger: Self.logger, configuration: .patient),
      HTTP1Transport(origin: origin, tls: tls, logger: Self.logger, configuration: .patient),
    ]
    let made = try await clients[0].send(
      request(.post, "", token), body: .bytes(Array(#"{"worker_id":"desktopw:h:shared"}"#.utf8)))
    #expect(made.head.status == .accepted)
    _ = try await made.body.collect(upTo: 1 << 16)
    let texts = try await withThrowingTaskGroup(of: String.self) { group in
      let opened = AsyncStream.makeStream(of: Void.self)
      for client in clients {
        let stream = try await client.send(
          request(.get, "/desktopw%3Ah%3Ashared/stream?cursor=0", token, prefer: "wait"))
        #expect(stream.head.status == .ok)
        group.addTask {
          var (text, isOpen) = ("", false)
          for try await chunk in stream.body {
            text += String(decoding: chunk, as: UTF8.self)
            guard !isOpen, text.contains("id: 21\n"), text.hasSuffix("\n\n") else { continue }
            isOpen = true
            opened.continuation.yield()
          }
          // The end of the body, and no error, is what a drained stream has.
          return text
        }
      }
      for number in 0..<20 {
        let client = clients[number % 2]
        let answer = try await client.send(
          request(.post, "/desktopw%3Ah%3Ashared/events", token),
          body: .bytes(Array(#"{"event":{"event_type":"worker.event","payload":{"n":\#(number)}}}"#.utf8)))
        #expect(answer.head.status == .accepted)
        _ = try await answer.body.collect(upTo: 1 << 16)
      }
      var readers = opened.stream.makeAsyncIterator()
      await readers.next()
      await readers.next()
      await server.shutdown()
      return try await group.reduce(into: [String]()) { $0.append($1) }
    }
    // A comment keeps a stream alive that waits for long, and need not come in both.
    let events = try texts.map { text in
      var parser = EventStreamParser()
      return try parser.parse(Array(text.utf8)).compactMap { item -> ServerSentEvent? in
        if case .event(let event) = item { event } else { nil }
      }
    }
    #expect(events.count == 2 && events[0] == events[1])
    #expect(events[0].map(\.lastEventID) == (1...21).map(String.init))
    for client in clients { await client.close() }
  }
}
