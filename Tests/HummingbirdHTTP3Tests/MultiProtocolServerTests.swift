import HTTPTypes
import Hummingbird
import HummingbirdHTTP3
import Logging
import NIOCore
import StreamTransport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct MultiProtocolServerTests {
  private static let requestID = HTTPField.Name("x-request-id")

  @Test(arguments: TransportKindUnderTest.allCases)
  func oneRouterAnswersOnBoth(_ kind: TransportKindUnderTest) async throws {
    let router = Router()
    router.get("greet/:name") { _, context in "hello \(context.parameters.get("name") ?? "")" }
    let server = try await ServerUnderTest(router)
    let client = server.client(kind)
    let name = try #require(Self.requestID)
    var request = HTTPRequest.test(.get, "/greet/you")
    request.headerFields[name] = "id-1"
    let response = try await client.send(request)
    #expect(response.head.status == .ok)
    #expect(response.head.headerFields[name] == "id-1")
    #expect(response.head.headerFields[.server] == "test")
    #expect(response.head.headerFields[.date]?.hasSuffix("GMT") == true)
    #expect(try await response.body.collect(upTo: 100) == Array("hello you".utf8))
    let altSvc = response.head.headerFields[try #require(HTTPField.Name("alt-svc"))]
    #expect(altSvc == (kind == .http1 ? "h3=\":\(server.port)\"; ma=86400" : nil))
    let missing = try await client.send(.test(.get, "/missing"))
    #expect(missing.head.status == .notFound)
    await client.close()
    await server.shutdown()
  }

  /// Hummingbird's `context.id` is in the logger's metadata, which the handler that logs nothing does not keep.
  @Test(arguments: TransportKindUnderTest.allCases)
  func aRequestHasItsIDWhereNothingIsLogged(_ kind: TransportKindUnderTest) async throws {
    let router = Router()
    router.get("id") { _, context in context.id }
    let server = try await ServerUnderTest(router)
    let client = server.client(kind)
    let name = try #require(Self.requestID)
    var request = HTTPRequest.test(.get, "/id")
    request.headerFields[name] = "id-1"
    #expect(try await client.send(request).body.collect(upTo: 100) == Array("id-1".utf8))
    await client.close()
    await server.shutdown()
  }

  /// The handler sends its second half only once the client has read the first.
  @Test(arguments: TransportKindUnderTest.allCases)
  func responsesStream(_ kind: TransportKindUnderTest) async throws {
    let hasRead = Gate()
    let server = try await ServerUnderTest(.twoHalves(hasRead))
    let client = server.client(kind)
    let response = try await client.send(.test(.get, "/stream"))
    var bytes: [UInt8] = []
    for try await chunk in response.body {
      bytes += chunk
      if bytes == Array("first".utf8) { hasRead.open() }
    }
    #expect(bytes == Array("firstsecond".utf8))
    await client.close()
    await server.shutdown()
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func trailersFollowTheBody(_ kind: TransportKindUnderTest) async throws {
    let name = try #require(HTTPField.Name("x-digest"))
    let router = Router()
    router.get("trailers") { _, _ in
      Response(
        status: .ok,
        body: .init { writer in
          try await writer.write(ByteBuffer(string: "body"))
          try await writer.finish([name: "abc"])
        })
    }
    let server = try await ServerUnderTest(router)
    let client = server.client(kind)
    let response = try await client.send(.test(.get, "/trailers"))
    #expect(try await response.body.collect(upTo: 4) == Array("body".utf8))
    #expect(response.body.trailers?[name] == "abc")
    await client.close()
    await server.shutdown()
  }

  /// The client sends its second half only once the handler has sent back the first.
  @Test(arguments: TransportKindUnderTest.allCases)
  func requestsStream(_ kind: TransportKindUnderTest) async throws {
    let router = Router()
    router.post("echo") { request, _ in
      Response(status: .ok, body: .init(asyncSequence: request.body))
    }
    let server = try await ServerUnderTest(router)
    let client = server.client(kind)
    let (chunks, sink) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
    sink.yield(Array("first".utf8))
    let response = try await client.send(.test(.post, "/echo"), body: .stream(chunks))
    var bytes: [UInt8] = []
    for try await chunk in response.body {
      bytes += chunk
      if bytes == Array("first".utf8) {
        sink.yield(Array("second".utf8))
        sink.finish()
      }
    }
    #expect(bytes == Array("firstsecond".utf8))
    await client.close()
    await server.shutdown()
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func largeBodiesComeBackWhole(_ kind: TransportKindUnderTest) async throws {
    let router = Router()
    router.post("echo") { request, _ in Response(status: .ok, body: .init(asyncSequence: request.body)) }
    let server = try await ServerUnderTest(router)
    let client = server.client(kind)
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 8)) }
    let response = try await client.send(.test(.post, "/echo"), body: .bytes(bytes))
    #expect(try await response.body.collect(upTo: 4_000_000) == bytes)
    await client.close()
    await server.shutdown()
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func leavingTheBodyCancelsTheHandler(_ kind: TransportKindUnderTest) async throws {
    let isCancelled = Gate()
    let router = Router()
    router.get("endless") { _, _ in
      Response(
        status: .ok,
        body: .init { writer in
          try await writer.write(ByteBuffer(string: "x"))
          let never = Gate()
          await withTaskCancellationHandler {
            await never.wait()
          } onCancel: {
            isCancelled.open()
            never.open()
          }
        })
    }
    let server = try await ServerUnderTest(router)
    let client = server.client(kind)
    let response = try await client.send(.test(.get, "/endless"))
    for try await _ in response.body { break }
    response.body.cancel()
    await isCancelled.wait()
    await client.close()
    await server.shutdown()
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func aHandlerThatThrowsIs500AndOneThatBreaksOffIsAnError(_ kind: TransportKindUnderTest) async throws {
    struct Broken: Error {}
    let router = Router()
    router.get("throws") { _, _ -> Response in throw Broken() }
    router.get("breaks") { _, _ in
      Response(
        status: .ok,
        body: .init { writer in
          try await writer.write(ByteBuffer(string: "half"))
          throw Broken()
        })
    }
    let server = try await ServerUnderTest(router)
    let client = server.client(kind)
    let failed = try await client.send(.test(.get, "/throws"))
    #expect(failed.head.status == .internalServerError)
    #expect(try await failed.body.collect(upTo: 100) == Array("Internal Server Error".utf8))
    await #expect(throws: TransportError.self) {
      let response = try await client.send(.test(.get, "/breaks"))
      _ = try await response.body.collect(upTo: 100)
    }
    #expect(try await client.send(.test(.get, "/missing")).head.status == .notFound)
    await client.close()
    await server.shutdown()
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func drainingLetsRunningRequestsFinish(_ kind: TransportKindUnderTest) async throws {
    let mayFinish = Gate()
    let router = Router()
    router.get("slow") { _, _ in
      Response(
        status: .ok,
        body: .init { writer in
          try await writer.write(ByteBuffer(string: "begun "))
          await mayFinish.wait()
          try await writer.write(ByteBuffer(string: "done"))
          try await writer.finish(nil)
        })
    }
    let server = try await ServerUnderTest(router)
    let client = server.client(kind)
    let response = try await client.send(.test(.get, "/slow"))
    async let drained: Void = server.shutdown()
    var bytes: [UInt8] = []
    for try await chunk in response.body {
      bytes += chunk
      mayFinish.open()
    }
    #expect(bytes == Array("begun done".utf8))
    await client.close()
    await drained
    let late = server.client(kind)
    await #expect(throws: TransportError.self) { try await late.send(.test(.get, "/slow")) }
    await late.close()
  }

  @Test func aTakenPortIsAClearError() async throws {
    let server = try await ServerUnderTest(Router())
    let certificate = server.certificate
    let second = MultiProtocolServer(
      responder: Router().buildResponder(),
      configuration: MultiProtocolConfiguration(
        port: server.port, certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let error = await #expect(throws: MultiProtocolError.self) { try await second.start() }
    #expect(error?.code == .tcp)
    await server.shutdown()
  }

  @Test func aBadCertificateIsAClearError() async throws {
    let server = MultiProtocolServer(
      responder: Router().buildResponder(),
      configuration: MultiProtocolConfiguration(certificatePEM: "x", privateKeyPEM: "y"),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let error = await #expect(throws: MultiProtocolError.self) { try await server.start() }
    #expect(error?.code == .certificate)
  }

  @Test func oneThatIsShutDownWhileItStartsDoesNotRun() async throws {
    let certificate = try DevelopmentCertificate.make()
    let server = MultiProtocolServer(
      responder: Router().buildResponder(),
      configuration: MultiProtocolConfiguration(
        certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let shuttingDown = Task {
      while !Task.isCancelled {
        await server.shutdown()
        await Task.yield()
      }
    }
    let error = await #expect(throws: MultiProtocolError.self) { try await server.start() }
    #expect(error?.code == .state)
    shuttingDown.cancel()
  }
}
