import HTTPTypes
import StreamTransport
import TestSupport
import Testing

/// Redirected requests (Fetch § 4.4, HTTP-redirect fetch).
@Suite(.timeLimit(.minutes(10))) struct EventSourceRedirectTests {
  @Test(arguments: [
    (301, HTTPRequest.Method.post, HTTPRequest.Method.get), (302, .post, .get), (303, .post, .get), (307, .post, .post),
    (308, .post, .post), (301, .put, .put), (302, .put, .put), (303, .put, .get), (303, .head, .head),
  ])
  func theStatusDecidesWhetherItBecomesAGet(
    _ status: Int, _ method: HTTPRequest.Method, _ expected: HTTPRequest.Method
  ) async throws {
    let transport = ScriptedTransport { received in
      received.number == 1
        ? .response(HTTPResponse(status: .init(code: status), headerFields: [.location: "/moved"]), [.end])
        : .response(HTTPResponse(status: .noContent), [.end])
    }
    var configuration = EventSourceConfiguration()
    configuration.clock = TransportClock(ManualClock())
    let updates = EventSourceClient(transport: transport, configuration: configuration, logger: .quiet)
      .updates { _ in
        EventSourceRequest(
          method: method, path: "/events",
          fields: [.contentType: "text/plain", .contentLanguage: "en", .authorization: "Bearer t"])
      }
    for try await _ in updates {}
    let requests = transport.requests.map(\.request)
    #expect(requests.map(\.path) == ["/events", "/moved"])
    #expect(requests.map(\.method) == [method, expected])
    let fields = try #require(requests.last).headerFields
    #expect((fields[.contentType] == nil) == (expected != method))
    #expect((fields[.contentLanguage] == nil) == (expected != method))
    #expect(fields[.authorization] == "Bearer t")
  }
}
