import EventStream
import HTTPTypes
import StreamTransport
import TestSupport
import Testing

/// A server that goes away while an event stream is open, and another in its place.
@Suite(.timeLimit(.minutes(10))) struct HTTP3LeavingTests {
  /// Answers with the event behind the cursor, and leaves the stream open until the gate opens.
  private static func handler(_ gate: Gate) -> HTTP3TestServer.Handler {
    { exchange in
      let name = HTTPField.Name("last-event-id")
      let cursor = name.flatMap { exchange.request.headerFields[$0] }.flatMap(Int.init) ?? 0
      try? await exchange.respond(
        HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"]))
      try? await exchange.write(Array("id: \(cursor + 1)\ndata:\n\n".utf8))
      await gate.wait()
      try? await exchange.finish()
    }
  }

  private func word(_ update: EventSourceUpdate) -> String? {
    switch update {
    case .connecting, .comment, .idCommitted: nil
    case .opened: "opened"
    case .event(let event, _): "event \(event.lastEventID)"
    case .disconnected(.moved, _, let delay): "moved \(delay)"
    case .disconnected(let reason, _, _): "disconnected \(reason)"
    }
  }

  @Test(arguments: [false, true])
  func anEventStreamMovesBeforeItsConnectionEnds(inRace: Bool) async throws {
    let gate = Gate()
    defer { gate.open() }
    let old = try await HTTP3TestServer.start(handler: Self.handler(gate))
    try await HTTP3TestServer.run(certificate: old.certificate, handler: Self.handler(gate)) { new in
      let relay = try CuttableRelay(to: old.port)
      defer { relay.stop() }
      let origin = Origin(scheme: .https, host: "127.0.0.1", port: relay.port)
      let tls = TLSOptions(trust: .certificates(pem: old.certificate.certificatePEM))
      let http3 = HTTP3Transport(origin: origin, tls: tls, logger: .quiet, configuration: .patient)
      let transport: any HTTPTransport =
        inRace
        ? RacingTransport(
          http3: http3, http1: HTTP1Transport(origin: origin, tls: tls, logger: .quiet, configuration: .patient),
          logger: .quiet) : http3
      // Nobody's silence ends the stream, however busy the machine is.
      var configuration = EventSourceConfiguration()
      configuration.responseTimeout = .seconds(3_600)
      configuration.idleTimeout = .seconds(3_600)
      let source = EventSourceClient(transport: transport, configuration: configuration, logger: .quiet)
      var drained: Task<Void, Never>?
      var seen: [String] = []
      for try await update in source.updates({ _ in EventSourceRequest(path: "/events") }) {
        guard let word = word(update) else { continue }
        seen.append(word)
        if word == "event 1" {
          relay.relayNewClients(to: new.port)
          drained = Task { await old.server.drain(within: .seconds(20)) }
        }
        if word == "event 2" || word.hasPrefix("disconnected") { break }
      }
      #expect(seen == ["opened", "event 1", "moved 0.0 seconds", "opened", "event 2"])
      gate.open()
      await drained?.value
      await transport.close()
    }
  }
}
