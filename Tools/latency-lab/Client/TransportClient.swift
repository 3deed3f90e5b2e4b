import EventStream
import HTTPTypes
import Logging
import StreamTransport
import Synchronization

/// Our own transports, through the event-source client that everything else in this package uses.
final class TransportClient: StreamClient {
  private let transport: any HTTPTransport
  private let configuration: EventSourceConfiguration
  private let logger: Logger
  private let earlier: EarlierConnection?
  private let connectsFirst: Bool
  private let connections = Mutex(Connections())

  private struct Connections {
    /// A connection is known by its handshake's time in nanoseconds, which no two share.
    var all: Set<ConnectionInfo> = []
    var first: ConnectionInfo?
  }

  /// The connection that a ticket comes from.
  struct EarlierConnection {
    var transport: HTTP3Transport
    var store: ResumptionStore
  }

  /// - Parameters:
  ///   - transport: what carries the requests.
  ///   - idleTimeout: silence after which a stream counts as broken.
  ///   - earlier: a connection to be made before the run.
  ///   - connectsFirst: whether the first request waits for the handshake.
  init(
    _ transport: any HTTPTransport, idleTimeout: Duration, earlier: EarlierConnection? = nil,
    connectsFirst: Bool = true, logger: Logger
  ) {
    self.transport = transport
    self.earlier = earlier
    self.connectsFirst = connectsFirst
    // As a program does that shows an answer while it is written.
    transport.setResponseExpected(true)
    self.logger = logger
    var configuration = EventSourceConfiguration()
    configuration.backoff = StreamClientRules.backoff
    configuration.idleTimeout = idleTimeout
    configuration.limits = StreamClientRules.limits
    self.configuration = configuration
  }

  /// Servers give tickets when the handshake is done, so they come a while after it.
  func prepare() async {
    guard let earlier, (try? await earlier.transport.connect()) != nil else { return }
    for _ in 0..<500 where await earlier.store.ticketCount(transport.origin) == 0 {
      guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { break }
    }
    await earlier.transport.close()
  }

  func connect() async -> Int64? {
    guard connectsFirst else { return nil }
    // The first stream gets the same failure, and reports it.
    guard let info = try? await transport.connect() else { return nil }
    let now = PreciseTimer.now
    saw(info)
    return now
  }

  func follow(_ stream: Int, from start: Int64, _ recorder: RunRecorder) async throws {
    let client = EventSourceClient(transport: transport, configuration: configuration, logger: logger)
    let updates = client.updates { attempt in
      let sequence = StreamClientRules.next(after: attempt.lastEventID)
      return EventSourceRequest(path: StreamClientRules.path(of: stream, start: start, from: sequence))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      for try await update in updates {
        switch update {
        case .opened(let info):
          saw(info)
          recorder.resumed(stream, info.resumption)
        case .event(let event, let arrivedAt):
          switch OriginEvent(event) {
          case .opened: recorder.opened(stream, at: Int64(clamping: arrivedAt))
          case .token(let payload): recorder.received(payload, on: stream, at: Int64(clamping: arrivedAt))
          case .tool(let payload):
            recorder.received(payload, on: stream, at: Int64(clamping: arrivedAt))
            group.addTask { try await self.answerTool(of: stream, start: start) }
          case .end: return
          case .unknown: throw StreamClientError("The server sent an event that is not the origin's: \(event.type).")
          }
        case .disconnected(let reason, _, _):
          recorder.broke(stream, at: PreciseTimer.now, reason: reason.description)
        case .connecting, .comment, .idCommitted: break
        }
      }
    }
  }

  /// Sends the tool's result until the server has it.
  private func answerTool(of stream: Int, start: Int64) async throws {
    let path = StreamClientRules.toolPath(of: stream, start: start)
    var backoff = Backoff(StreamClientRules.backoff)
    var generator = SystemRandomNumberGenerator()
    while true {
      do {
        let response = try await transport.send(
          HTTPRequest(
            method: .post, scheme: nil, authority: nil, path: path,
            headerFields: [.contentType: "application/json"]),
          body: .bytes(Array("{}".utf8)))
        saw(response.connection)
        let status = response.head.status.code
        _ = try await response.body.collect(upTo: 64 << 10)
        guard status != 204 else { return }
        throw StreamClientError("The server answered the tool's result with status \(status).")
      } catch {
        try Task.checkCancellation()
        try await Task.sleep(for: backoff.delay(after: .refused(retryAfter: nil), using: &generator))
      }
    }
  }

  func download(_ count: Int, onBytes: @Sendable (Int) -> Void) async throws {
    let response = try await transport.send(
      HTTPRequest(method: .get, scheme: nil, authority: nil, path: StreamClientRules.downloadPath(count)))
    saw(response.connection)
    guard response.head.status.code == 200 else {
      throw StreamClientError("The server answered the download with status \(response.head.status.code).")
    }
    for try await chunk in response.body { onBytes(chunk.count) }
  }

  var facts: StreamClientFacts {
    let (first, count) = connections.withLock { ($0.first, $0.all.count) }
    let software =
      switch first?.transport {
      case .http3: SoftwareVersions.http3
      case .http1: SoftwareVersions.http1
      case nil: "agent-stream"
      }
    return StreamClientFacts(
      spoken: first?.transport.rawValue ?? StreamClientFacts.nothing, connections: count, connected: nil,
      software: software)
  }

  func close() async {
    await transport.close()
  }

  private func saw(_ info: ConnectionInfo) {
    // The reason is the race's, not the connection's.
    var info = info
    info.reason = nil
    connections.withLock { connections in
      connections.all.insert(info)
      if connections.first == nil { connections.first = info }
    }
  }
}
