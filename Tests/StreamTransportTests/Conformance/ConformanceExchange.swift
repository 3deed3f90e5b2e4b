import HTTPTypes
import StreamTransport

/// One request as a conformance server sees it, whatever the HTTP version.
protocol ConformanceExchange: Sendable {
  var request: HTTPRequest { get }
  var body: ResponseBody { get }
  func sendInformational(_ response: HTTPResponse) async throws
  func respond(_ response: HTTPResponse) async throws
  /// Returns when the connection has room for more.
  func write(_ bytes: [UInt8]) async throws
  func finish(trailers: HTTPFields?) async throws
  /// Breaks the response off.
  func abort() async
}

/// A running server of one HTTP version and a transport to it.
protocol ConformanceSubject: Sendable {
  var name: String { get }
  /// Far more than all buffers between a server and a client that does not read may hold.
  var bytesThatDoNotFit: Int { get }
  /// Starts a server with `handler`, runs `body` with a new transport to it, and stops both.
  func run(
    handler: @escaping @Sendable (any ConformanceExchange) async throws -> Void,
    body: @Sendable (any HTTPTransport) async throws -> Void
  ) async throws
}

extension ConformanceExchange {
  func finish() async throws { try await finish(trailers: nil) }
}

extension ConformanceSubject {
  /// HTTP/3's flow control holds a stream to a megabyte.
  var bytesThatDoNotFit: Int { 16 << 20 }
}
