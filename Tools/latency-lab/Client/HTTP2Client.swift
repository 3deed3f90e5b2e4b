import AsyncHTTPClient
import EventStream
import HTTP3Engine
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import StreamTransport
import Synchronization

/// HTTP/2 by AsyncHTTPClient: one connection for all streams, which is checked.
///
/// NIOSSL takes a certificate for another name if it has the socket's address; the lab's origins are addresses, for which
/// that is right, and no other authority than the plan's is trusted.
final class HTTP2Client: StreamClient {
  private let client: HTTPClient
  private let origin: String
  private let connections: ConnectionLog

  /// The facts that the client's connection hooks recorded.
  private final class ConnectionLog: Sendable {
    private let state = Mutex((http2: 0, http1: 0, silent: 0, first: Int64?.none))

    var http2: Int { state.withLock { $0.http2 } }
    var http1: Int { state.withLock { $0.http1 } }
    /// The number of connections that were closed for their silence.
    var silent: Int { state.withLock { $0.silent } }
    var first: Int64? { state.withLock { $0.first } }

    func saw(isHTTP2: Bool) {
      let now = PreciseTimer.now
      state.withLock { state in
        if isHTTP2 { state.http2 += 1 } else { state.http1 += 1 }
        state.first = state.first ?? now
      }
    }

    func sawSilence() { state.withLock { $0.silent += 1 } }
  }

  /// - Parameters:
  ///   - origin: as `https://198.18.1.100:4433`.
  ///   - authorityFile: PEM.
  ///   - idleTimeout: silence after which a stream counts as broken.
  ///   - replacesSilentConnections: whether a silent connection is asked by PING, and one that does not answer is closed
  ///     and opened anew at once.
  init(
    origin: String, authorityFile: String, idleTimeout: Duration, replacesSilentConnections: Bool = false
  ) throws(StreamClientError) {
    self.origin = origin
    var tls = TLSConfiguration.makeClientConfiguration()
    do {
      tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authorityFile))
    } catch {
      throw StreamClientError("The authority's certificate '\(authorityFile)' cannot be read as PEM: \(error).")
    }
    let log = ConnectionLog()
    connections = log
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: tls, redirectConfiguration: .disallow,
      timeout: HTTPClient.Configuration.Timeout(
        connect: .seconds(10), read: .nanoseconds(idleTimeout.nanosecondsClamped)))
    // Offers h2 and http/1.1 by ALPN; what was chosen is checked with every response.
    configuration.httpVersion = .automatic
    // Our own back-off decides when to try again, as with the other arms.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.http2ConnectionDebugInitializer = { channel in
      log.saw(isHTTP2: true)
      guard replacesSilentConnections else { return channel.eventLoop.makeSucceededVoidFuture() }
      return channel.eventLoop.submit {
        let pipeline = channel.pipeline.syncOperations
        let frames = try pipeline.handler(type: NIOHTTP2Handler.self)
        try pipeline.addHandler(PingHandler { log.sawSilence() }, position: .after(frames))
      }
    }
    configuration.http1_1ConnectionDebugInitializer = { channel in
      log.saw(isHTTP2: false)
      return channel.eventLoop.makeSucceededVoidFuture()
    }
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  /// Only the first request makes a connection; the hook reports when.
  func connect() async -> Int64? { nil }

  func follow(_ stream: Int, from start: Int64, _ recorder: RunRecorder) async throws {
    var reader = EventReader(stream: stream, recorder: recorder)
    var backoff = Backoff(StreamClientRules.backoff)
    var generator = SystemRandomNumberGenerator()
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      while true {
        var opened: ContinuousClock.Instant?
        let silent = connections.silent
        var reason = "The server ended the stream."
        var end = StreamEnd.refused(retryAfter: nil)
        do {
          let path = StreamClientRules.path(of: stream, start: start, from: reader.next)
          var request = HTTPClientRequest(url: origin + path)
          request.headers.add(name: "accept", value: "text/event-stream")
          request.headers.add(name: "cache-control", value: "no-cache")
          let response = try await send(request)
          opened = .now
          reader.restart()
          for try await buffer in response.body {
            let arrived = PreciseTimer.now
            switch try reader.read(buffer, at: arrived) {
            case .more: break
            case .end: return
            case .tool: group.addTask { try await self.answerTool(of: stream, start: start) }
            }
          }
          end = .clean(uptime: opened.map { .now - $0 } ?? .zero)
        } catch let error as StreamClientError {
          throw error
        } catch {
          try Task.checkCancellation()
          reason = "\(error)"
          if let reason = Self.finalReason(error) { throw StreamClientError(reason) }
          if let opened { end = .lost(uptime: .now - opened) }
        }
        try Task.checkCancellation()
        recorder.broke(stream, at: PreciseTimer.now, reason: reason)
        if connections.silent > silent { continue }
        try await Task.sleep(for: backoff.delay(after: end, using: &generator))
      }
    }
  }

  private func answerTool(of stream: Int, start: Int64) async throws {
    var backoff = Backoff(StreamClientRules.backoff)
    var generator = SystemRandomNumberGenerator()
    while true {
      do {
        var request = HTTPClientRequest(url: origin + StreamClientRules.toolPath(of: stream, start: start))
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: "{}"))
        let response = try await client.execute(request, deadline: .distantFuture)
        for try await _ in response.body {}
        guard response.status != .noContent else { return }
      } catch {
        try Task.checkCancellation()
      }
      try await Task.sleep(for: backoff.delay(after: .refused(retryAfter: nil), using: &generator))
    }
  }

  func download(_ count: Int, onBytes: @Sendable (Int) -> Void) async throws {
    let response = try await send(HTTPClientRequest(url: origin + StreamClientRules.downloadPath(count)))
    for try await buffer in response.body { onBytes(buffer.readableBytes) }
  }

  /// Sends a request whose answer must be 200 and over HTTP/2.
  private func send(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
    let response = try await client.execute(request, deadline: .distantFuture)
    guard response.version == .http2 else {
      throw StreamClientError(
        "The server chose HTTP/\(response.version.major).\(response.version.minor) by ALPN, not h2.")
    }
    guard response.status == .ok else {
      // Transient errors are retried, as the event-source client does.
      guard [408, 425, 429, 500, 502, 503, 504].contains(response.status.code) else {
        throw StreamClientError("The server answered with status \(response.status.code).")
      }
      throw HTTPClientError.remoteConnectionClosed
    }
    return response
  }

  /// The reason for which another attempt cannot help, if so.
  private static func finalReason(_ error: any Error) -> String? {
    let words = "\(error)"
    guard words.contains("CERTIFICATE_VERIFY_FAILED") || words.contains("unableToValidateCertificate") else {
      return nil
    }
    return "The server's certificate was not accepted: \(words)"
  }

  var facts: StreamClientFacts {
    let spoken = connections.http2 > 0 ? "h2" : connections.http1 > 0 ? "h1" : StreamClientFacts.nothing
    return StreamClientFacts(
      spoken: spoken,
      connections: connections.http2 + connections.http1, connected: connections.first,
      software: SoftwareVersions.http2)
  }

  func close() async {
    // Fails only where it was shut down before.
    try? await client.shutdown()
  }
}
