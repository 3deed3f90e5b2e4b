import Foundation
import HTTPTypes
import Logging
import ReferenceBackend
import ResolveKitCore
import StreamTransport
import TestSupport
import Testing

/// The whole backend on loopback sockets.
@Suite(.timeLimit(.minutes(10)))
struct BackendTests {
  private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  private func request(
    _ method: HTTPRequest.Method, _ path: String, token: String? = nil
  ) -> HTTPRequest {
    var request = HTTPRequest(method: method, scheme: nil, authority: nil, path: path)
    request.headerFields[.authorization] = "Bearer rk_test"
    if let token, let name = HTTPField.Name("x-resolvekit-chat-capability") { request.headerFields[name] = token }
    return request
  }

  private func open(_ client: any HTTPTransport, tools: String = "[]") async throws -> (id: String, token: String) {
    let response = try await client.send(
      request(.post, "/v1/sessions"), body: .bytes(Array(#"{"available_function_names":\#(tools)}"#.utf8)))
    let json = try JSONValue(parsing: try await response.body.collect(upTo: 1 << 16)).objectValue
    return (
      try #require(json?["id"]?.stringValue), try #require(json?["chat_capability_token"]?.stringValue)
    )
  }

  @Test func aTurnStreamsOverHTTP3AndShutdownEndsTheStreamInGoodOrder() async throws {
    let certificate = try DevelopmentCertificate.make()
    let configuration = BackendConfiguration(
      certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM, databasePath: nil,
      apiKeys: ["rk_test"], model: DemoModel(tokenRate: 0))
    let backend = Backend(configuration, logger: Self.logger)
    let address = try await backend.start()
    #expect(address.url == "https://127.0.0.1:\(address.port)")
    let client = HTTP3Transport(
      origin: Origin(scheme: .https, host: "127.0.0.1", port: address.port),
      tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)), logger: Self.logger,
      configuration: .patient)
    let session = try await open(client)
    let stream = try await client.send(request(.get, "/v1/sessions/\(session.id)/events", token: session.token))
    #expect(stream.head.status == .ok)
    #expect(stream.connection.transport == .http3)
    let message = try await client.send(
      request(.post, "/v1/sessions/\(session.id)/messages", token: session.token),
      body: .bytes(Array(#"{"text":"a story of 50 words","request_id":"r"}"#.utf8)))
    #expect(message.head.status == .accepted)
    var text = ""
    for try await chunk in stream.body {
      text += String(decoding: chunk, as: UTF8.self)
      // The end of the body, and no error, is what a drained stream has.
      if text.contains("event: turn_complete"), text.hasSuffix("\n\n") {
        Task { await backend.shutdown() }
      }
    }
    #expect(text.hasPrefix(": connected\n\n"))
    #expect(text.components(separatedBy: "event: assistant_text_delta\n").count == 51)
    await backend.shutdown()
    await client.close()
    await #expect(throws: BackendError.self) { try await backend.start() }
  }

  @Test func aRunningAnswerMayEndBeforeTheShutdownDoes() async throws {
    let gate = Gate()
    let certificate = try DevelopmentCertificate.make()
    let model = ScriptedModel([
      { _, output in
        try await output(.text("a"))
        await gate.wait()
        try await output(.text("b"))
      }
    ])
    let backend = Backend(
      BackendConfiguration(
        certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM, databasePath: nil,
        apiKeys: ["rk_test"], model: model, drainTimeout: .seconds(30)), logger: Self.logger)
    let address = try await backend.start()
    let client = HTTP3Transport(
      origin: Origin(scheme: .https, host: "127.0.0.1", port: address.port),
      tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)), logger: Self.logger,
      configuration: .patient)
    let session = try await open(client)
    let stream = try await client.send(request(.get, "/v1/sessions/\(session.id)/events", token: session.token))
    _ = try await client.send(
      request(.post, "/v1/sessions/\(session.id)/messages", token: session.token),
      body: .bytes(Array(#"{"text":"x","request_id":"r"}"#.utf8)))
    var text = ""
    var stopping: Task<Void, Never>?
    for try await chunk in stream.body {
      text += String(decoding: chunk, as: UTF8.self)
      if stopping == nil, text.contains("event: assistant_text_delta") {
        stopping = Task { await backend.shutdown() }
        // Round trips, in which the shutdown gets to where it would end the streams.
        for _ in 0..<20 { _ = try? await client.send(request(.get, "/health")).body.collect(upTo: 100) }
        gate.open()
      }
    }
    #expect(text.contains("event: turn_complete"))
    await stopping?.value
    await client.close()
  }

  /// A turn that waits for a person is found again at the next start, so a stop does not wait for it; one that is
  /// kept nowhere is waited for.
  @Test(arguments: [true, false], [true, false])
  func aTurnThatWaitsForAPersonDoesNotHoldUpTheShutdown(isKept: Bool, needsApproval: Bool) async throws {
    let folder = try TemporaryFolder()
    let certificate = try DevelopmentCertificate.make()
    let model = ScriptedModel([
      { _, output in try await output(.toolCalls([ModelToolCall(id: "a", name: "tool", arguments: [:])])) },
      { _, output in try await output(.text("done")) },
    ])
    let backend = Backend(
      BackendConfiguration(
        certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM,
        databasePath: isKept ? folder.path("a.sqlite") : nil, apiKeys: ["rk_test"], model: model,
        drainTimeout: .seconds(40)), logger: Self.logger)
    let address = try await backend.start()
    let client = HTTP3Transport(
      origin: Origin(scheme: .https, host: "127.0.0.1", port: address.port),
      tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)), logger: Self.logger,
      configuration: .patient)
    _ = try await client.send(
      request(.put, "/v1/functions/bulk"),
      body: .bytes(Array(#"{"functions":[{"name":"tool","requires_approval":\#(needsApproval)}]}"#.utf8)))
    let session = try await open(client, tools: #"["tool"]"#)
    let stream = try await client.send(request(.get, "/v1/sessions/\(session.id)/events", token: session.token))
    let message = try await client.send(
      request(.post, "/v1/sessions/\(session.id)/messages", token: session.token),
      body: .bytes(Array(#"{"text":"x","request_id":"r"}"#.utf8)))
    let answer = try JSONValue(parsing: try await message.body.collect(upTo: 1 << 16)).objectValue
    let turn = try #require(answer?["turn_id"]?.stringValue)
    var text = ""
    var stopping: Task<Void, Never>?
    for try await chunk in stream.body {
      text += String(decoding: chunk, as: UTF8.self)
      guard stopping == nil, text.contains("event: tool_call_request") else { continue }
      stopping = Task { await backend.shutdown() }
      guard !isKept || !needsApproval else { continue }
      // Round trips, in which the shutdown gets to where it would end the streams.
      for _ in 0..<20 { _ = try? await client.send(request(.get, "/health")).body.collect(upTo: 100) }
      _ = try await client.send(
        request(.post, "/v1/sessions/\(session.id)/tool-results", token: session.token),
        body: .bytes(
          Array(
            #"{"turn_id":"\#(turn)","call_id":"a","idempotency_key":"k","status":"success","result":1}"#.utf8)))
    }
    await stopping?.value
    #expect(text.contains("event: turn_complete") == (!isKept || !needsApproval))
    await client.close()
  }

  private final class ClosingModel: ModelAdapter {
    let name = "closing"
    let isShutDown = Gate()

    func reply(
      to conversation: ModelConversation, output: @Sendable (ModelOutput) async throws -> Void
    ) async throws {}

    func shutdown() async { isShutDown.open() }
  }

  @Test func aBackendThatDoesNotStartShutsItsModelDown() async throws {
    let certificate = try DevelopmentCertificate.make()
    let folder = try TemporaryFolder()
    let path = folder.path("taken.sqlite")
    let owner = try BackendDatabase(path: path)
    let model = ClosingModel()
    let backend = Backend(
      BackendConfiguration(
        certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM, databasePath: path,
        apiKeys: ["rk_test"], model: model), logger: Self.logger)
    let error = await #expect(throws: BackendError.self) { try await backend.start() }
    #expect(error?.code == .database)
    await model.isShutDown.wait()
    try owner.close()
  }
}
