import ArgumentParser
import HTTPTypes
import Logging
import StreamTransport
import TestSupport
import Testing

@testable import sse_contract_service

/// The whole service over loopback, as the harness uses it.
@Suite(.timeLimit(.minutes(10))) struct ContractServiceTests {
  private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// Runs `body` with a service, which it has to end.
  private func withService(_ body: @Sendable @escaping (HTTP1Transport) async throws -> Void) async throws {
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await ContractService(port: 0, logger: Self.logger).run { port.yield($0) } }
      for await port in ports {
        let transport = HTTP1Transport(
          origin: Origin(scheme: .http, host: "127.0.0.1", port: port), tls: TLSOptions(), logger: Self.logger,
          configuration: .patient)
        try await body(transport)
        let end = try await Self.send(.delete, "/", to: transport)
        #expect(end.status == .noContent)
        await transport.close()
        break
      }
      // The service has ended by itself.
      try await group.waitForAll()
    }
  }

  private static func send(
    _ method: HTTPRequest.Method, _ path: String, _ json: String? = nil, to transport: HTTP1Transport
  ) async throws -> (status: HTTPResponse.Status, location: String?, body: String) {
    let request = HTTPRequest(
      method: method, scheme: nil, authority: nil, path: path, headerFields: [.contentType: "application/json"])
    let response = try await transport.send(request, body: json.map { .bytes(Array($0.utf8)) } ?? .none)
    return (
      response.head.status, response.head.headerFields[.location],
      String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    )
  }

  private static func expect(
    _ status: HTTPResponse.Status, _ method: HTTPRequest.Method, _ path: String, _ json: String? = nil,
    to transport: HTTP1Transport, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let answer = try await send(method, path, json, to: transport)
    #expect(answer.status == status, sourceLocation: sourceLocation)
  }

  @Test func tellsWhatItCanDo() async throws {
    try await withService { service in
      let answer = try await Self.send(.get, "/", to: service)
      #expect(answer.status == .ok)
      for capability in ContractRoutes.capabilities { #expect(answer.body.contains("\"\(capability)\"")) }
    }
  }

  @Test func aStreamIsMadeRestartedAndClosed() async throws {
    let harness = HarnessStandIn()
    try await harness.run { base in
      try await withService { service in
        var connections = harness.connections.makeAsyncIterator()
        var callbacks = harness.callbacks.makeAsyncIterator()
        let order =
          #"{"streamUrl":"\#(base)/stream","callbackUrl":"\#(base)/callback","tag":"t","initialDelayMs":0,"readTimeoutMs":null}"#
        let made = try await Self.send(.post, "/", order, to: service)
        #expect(made.status == .created)
        let path = "/streams/1"
        #expect(made.location == "\(service.origin)\(path)")

        let first = try #require(await connections.next())
        #expect(first.lastEventID == nil)
        first.write.yield(":hi\nid: 7\ndata: a\n\n")
        #expect(await callbacks.next() == .init(number: "1", json: #"{"comment":"hi","kind":"comment"}"#))
        #expect(await callbacks.next()?.number == "2")

        try await Self.expect(.accepted, .post, path, #"{"command":"restart"}"#, to: service)
        let second = try #require(await connections.next())
        #expect(second.lastEventID == "7")
        first.write.finish()
        second.write.yield("data: b\n\n")
        // A restart is no error, so the next message is the event.
        let event = try #require(await callbacks.next())
        #expect(event.number == "3" && event.json.contains(#""data":"b""#))

        try await Self.expect(.noContent, .delete, path, to: service)
        try await Self.expect(.notFound, .delete, path, to: service)
        try await Self.expect(.notFound, .post, path, #"{"command":"restart"}"#, to: service)
        second.write.finish()
      }
    }
  }

  @Test func whatItDoesNotUnderstandItRefuses() async throws {
    try await withService { service in
      for order in ["", "{", "{}", #"{"streamUrl":"http://127.0.0.1:1/","callbackUrl":"?"}"#] {
        try await Self.expect(.badRequest, .post, "/", order, to: service)
      }
      // Nobody listens there: the stream is made, and keeps trying.
      let order = #"{"streamUrl":"http://127.0.0.1:1/","callbackUrl":"http://127.0.0.1:1/"}"#
      try await Self.expect(.created, .post, "/", order, to: service)
      let answer = try await Self.send(.post, "/streams/1", #"{"command":"listen","listen":{"type":"x"}}"#, to: service)
      #expect(answer.status == .badRequest && answer.body.contains("restart"))
      try await Self.expect(.badRequest, .post, "/streams/1", "{}", to: service)
      try await Self.expect(.notFound, .post, "/streams/x", "{}", to: service)
    }
  }

  @Test func streamsAreLimited() async throws {
    try await withService { service in
      let order = #"{"streamUrl":"http://127.0.0.1:1/","callbackUrl":"http://127.0.0.1:1/","initialDelayMs":60000}"#
      for _ in 0..<ContractStreams.limit {
        try await Self.expect(.created, .post, "/", order, to: service)
      }
      try await Self.expect(.serviceUnavailable, .post, "/", order, to: service)
      try await Self.expect(.noContent, .delete, "/streams/1", to: service)
      try await Self.expect(.created, .post, "/", order, to: service)
    }
  }

  @Test func thePortIsTheOptionsOrTheEnvironments() throws {
    #expect(try ContractProgram.parse([]).chosenPort(environment: [:]) == 8_000)
    #expect(try ContractProgram.parse([]).chosenPort(environment: ["PORT": "0"]) == 0)
    #expect(try ContractProgram.parse(["--port", "81"]).chosenPort(environment: ["PORT": "x"]) == 81)
    for text in ["x", "-1", "65536", "8000 "] {
      #expect(throws: (any Error).self) { try ContractProgram.parse([]).chosenPort(environment: ["PORT": text]) }
    }
    #expect(throws: (any Error).self) { try ContractProgram.parse(["--port", "65536"]) }
  }
}
