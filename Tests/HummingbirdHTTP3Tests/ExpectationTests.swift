import Foundation
import HTTPTypes
import Hummingbird
import Logging
import StreamTransport
import TestSupport
import Testing

/// `Expect: 100-continue` (RFC 9110 § 10.1.1).
@Suite(.timeLimit(.minutes(10)))
struct ExpectationTests {
  /// `/take` reads the body, `/ignore` succeeds without it, `/refuse` wants none.
  private static func server() async throws -> ServerUnderTest {
    let router = Router()
    router.post("take") { request, _ in
      String(buffer: try await request.body.collect(upTo: 1_000))
    }
    router.post("ignore") { _, _ in HTTPResponse.Status.ok }
    router.post("refuse") { _, _ in HTTPResponse.Status.unauthorized }
    return try await ServerUnderTest(router)
  }

  /// curl, which waits ten minutes for leave, and at most a minute for the whole; answers status, version and how many
  /// bytes of the body it sent.
  ///
  /// - Parameter mayWait: whether curl may be waiting when its time is over: over HTTP/2 curl 7.88 does where the response,
  ///   its END_STREAM included, comes before the upload ends.
  private static func curl(
    _ version: String, _ url: String, _ more: String..., mayWait: Bool = false
  ) async throws -> String {
    let patience = mayWait ? 15 : 60
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/curl")
    process.arguments =
      [
        "-sk", "--noproxy", "*", "--\(version)", "--expect100-timeout", "600", "--max-time", "\(patience)", "-H",
        "Expect: 100-continue", "-d", "hello", "-o", "/dev/null", "-w", "%{http_code} %{http_version} %{size_upload}",
        url,
      ] + more
    let output = Pipe()
    process.standardOutput = output
    let ended = Gate()
    process.terminationHandler = { _ in ended.open() }
    try process.run()
    await ended.wait()
    #expect(process.terminationStatus == 0 || mayWait && process.terminationStatus == 28)
    return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "there is no curl"),
    arguments: [("http1.1", "1.1"), ("http2", "2")])
  func waitersForPermissionContinueOrAreRefused(_ option: String, _ version: String) async throws {
    let server = try await Self.server()
    let url = "https://127.0.0.1:\(server.port)"
    #expect(try await Self.curl(option, url + "/take") == "200 \(version) 5")
    #expect(try await Self.curl(option, url + "/ignore", mayWait: version == "2") == "200 \(version) 5")
    #expect(try await Self.curl(option, url + "/refuse") == "401 \(version) 0")
    await server.shutdown()
  }

  /// A client of HTTP/1.0 would take a 100 for the response, and is to be sent none (RFC 9110 § 10.1.1).
  @Test(arguments: [("1.0", "/take", 200), ("1.0", "/ignore", 200), ("1.0", "/refuse", 401), ("1.1", "/take", 100)])
  func anExpectationOfHTTP10IsIgnored(_ version: String, _ path: String, _ status: Int) async throws {
    let server = try await Self.server()
    let client = try await RawClient(server.port)
    try await client.request(
      "POST \(path) HTTP/\(version)", ["host: localhost", "expect: 100-continue", "content-length: 5"],
      behind: Array("hello".utf8))
    let head = try await client.head()
    #expect(head.hasPrefix("HTTP/1.1 \(status) ") || head.hasPrefix("HTTP/1.0 \(status) "))
    await client.close()
    await server.shutdown()
  }

  /// RFC 9112 § 3.2.2.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "there is no curl"))
  func theAbsoluteFormOfATargetIsServed() async throws {
    let server = try await Self.server()
    let url = "https://127.0.0.1:\(server.port)/take"
    #expect(try await Self.curl("http1.1", url, "--request-target", url) == "200 1.1 5")
    await server.shutdown()
  }

  /// The statuses of a response over HTTP/3, as the client's trace has them.
  private static func statuses(
    _ path: String, _ fields: HTTPFields, on server: ServerUnderTest
  ) async throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "expect-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var configuration = HTTP3TransportConfiguration.patient
    configuration.qlogDirectory = folder
    let client = HTTP3Transport(
      origin: Origin(scheme: .https, host: "localhost", port: server.port),
      tls: TLSOptions(trust: .certificates(pem: server.certificate.certificatePEM)),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      configuration: configuration)
    var request = HTTPRequest.test(.post, path)
    request.headerFields = fields
    let response = try await client.send(request, body: .bytes(Array("hello".utf8)))
    _ = try await response.body.collect(upTo: 1_000)
    await client.close()
    let traces = try FileManager.default.contentsOfDirectory(atPath: folder)
    let trace = try #require(traces.first.flatMap { FileManager.default.contents(atPath: folder + "/" + $0) })
    return String(decoding: trace, as: UTF8.self)
      .matches(of: #/":status","value":"([0-9]+)"/#).map { String($0.output.1) }
  }

  @Test func overHTTP3ItIsAnsweredToo() async throws {
    let server = try await Self.server()
    let expecting: HTTPFields = [.expect: "100-Continue"]
    #expect(try await Self.statuses("/take", expecting, on: server) == ["100", "200"])
    #expect(try await Self.statuses("/ignore", expecting, on: server) == ["100", "200"])
    #expect(try await Self.statuses("/refuse", expecting, on: server) == ["401"])
    #expect(try await Self.statuses("/take", [:], on: server) == ["200"])
    await server.shutdown()
  }
}
