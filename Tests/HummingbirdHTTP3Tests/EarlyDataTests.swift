import HTTPTypes
import Hummingbird
import Logging
import StreamTransport
import Synchronization
import TestSupport
import Testing

@testable import HummingbirdHTTP3

/// Handlers and requests that may be replays (RFC 8470).
@Suite(.timeLimit(.minutes(10)))
struct EarlyDataTests {
  private static let field = HTTPField.Name("early-data")

  /// The marks of the requests that a handler saw, in order.
  private final class Seen: Sendable {
    private let marks = Mutex<[String]>([])
    var all: [String] { marks.withLock { $0 } }

    func add(_ request: Request) throws {
      let field = request.headers[values: try #require(EarlyDataTests.field)]
      marks.withLock { $0.append("\(request.isEarlyData) \(field)") }
    }
  }

  private static func router(_ seen: Seen) -> Router<BasicRequestContext> {
    let router = Router()
    router.get("once") { request, _ in
      try seen.add(request)
      if request.isEarlyData { throw HTTPError(.tooEarly) }
      return "answered"
    }
    return router
  }

  /// The transport knows better than a client's own field.
  @Test(arguments: [[], ["1"], ["0"], ["0", "0"]])
  func aClientCannotHideEarlyData(_ claims: [String]) throws {
    var request = HTTPRequest.test(.get, "/any")
    let name = try #require(Self.field)
    for claim in claims { request.headerFields.append(HTTPField(name: name, value: claim)) }
    EarlyDataField.mark(&request)
    #expect(request.headerFields[values: name] == ["1"])
    #expect(EarlyDataField.isIn(request))
  }

  /// A gateway passes on requests that it took as early data; only it knows (RFC 8470 § 5.1).
  @Test(arguments: TransportKindUnderTest.allCases, ["1", "0"])
  func aGatewaysMarkIsHeeded(_ kind: TransportKindUnderTest, _ value: String) async throws {
    let seen = Seen()
    let server = try await ServerUnderTest(Self.router(seen))
    let client = server.client(kind)
    var request = HTTPRequest.test(.get, "/once")
    request.headerFields[try #require(Self.field)] = value
    #expect(try await client.send(request).head.status == .tooEarly)
    #expect(seen.all.first == "true [\"\(value)\"]")
    await client.close()
    await server.shutdown()
  }
}
