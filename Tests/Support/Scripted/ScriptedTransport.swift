package import HTTPTypes
package import StreamTransport
import Synchronization
package import TransportPolicy

/// A transport without a network: a script answers each request.
package final class ScriptedTransport: SteerableTransport {
  /// The steps of a response's body, in order.
  package enum Step: Sendable {
    /// Delivered only when the reader has taken the bytes before.
    case bytes([UInt8])
    /// Delivered while the reader has other things to do; the script continues at once. Only before a wait.
    case ahead([UInt8])
    /// The body ends gracefully.
    case end
    /// The body breaks off.
    case cut(TransportError)
    /// Waits for the test.
    case wait(@Sendable () async -> Void)
  }

  package enum Answer: Sendable {
    /// A response; a script without an end leaves the body open for ever.
    case response(HTTPResponse, [Step])
    case failure(TransportError)
    /// No answer until the request is cancelled.
    case never
  }

  /// A request as it came in.
  package struct Received: Sendable {
    package let number: Int
    package let request: HTTPRequest
    package let body: [UInt8]
  }

  package let origin: Origin
  private let onConnect: @Sendable (Int) async throws -> ConnectionInfo
  private let onRetire: @Sendable () async -> Void
  private let respond: @Sendable (Received) async -> Answer
  private let state = Mutex(State())

  private struct State {
    var requests: [Received] = []
    var connects = 0
    var closes = 0
    var retires = 0
    var cancelled = 0
    var alternative: AlternativeService?
    var connection: ConnectionInfo?
    var watcher: (@Sendable (PathHealth) -> Void)?
    var leftFor: [String] = []
    var expectations: [Bool] = []
    var hasImproved = false
  }

  /// - Parameters:
  ///   - onConnect: makes the connection; its argument counts the attempts, from 1.
  ///   - onRetire: what else happens while the connection is left.
  package init(
    origin: Origin = Origin(scheme: .https, host: "script.test", port: 443),
    onConnect: @escaping @Sendable (Int) async throws -> ConnectionInfo = { _ in .scripted },
    onRetire: @escaping @Sendable () async -> Void = {},
    respond: @escaping @Sendable (Received) async -> Answer
  ) {
    self.origin = origin
    self.onConnect = onConnect
    self.onRetire = onRetire
    self.respond = respond
  }

  package var requests: [Received] { state.withLock { $0.requests } }
  package var connectCount: Int { state.withLock { $0.connects } }
  package var closeCount: Int { state.withLock { $0.closes } }
  /// The number of times that the connection was retired while its exchanges continued.
  package var retireCount: Int { state.withLock { $0.retires } }
  /// Bodies whose reader left before the end.
  package var cancelledBodies: Int { state.withLock { $0.cancelled } }

  /// The alternative that the transport was given in place of its origin.
  package var alternative: AlternativeService? { state.withLock { $0.alternative } }

  package func steer(to alternative: AlternativeService?) {
    state.withLock { $0.alternative = alternative }
  }

  package func sendEarly(_ request: HTTPRequest) async throws -> TransportResponse? { nil }

  /// Opened, once, when there is something better for responses that are open.
  package let improvement = Gate()

  /// In whose favour a silent path was left.
  package var leftFor: [String] { state.withLock { $0.leftFor } }
  /// The arguments of ``setResponseExpected(_:)``, in order.
  package var expectations: [Bool] { state.withLock { $0.expectations } }

  package func improvement(over connection: ConnectionInfo) async throws {
    await improvement.wait()
    try Task.checkCancellation()
    let isTold = state.withLock { state in
      defer { state.hasImproved = true }
      return state.hasImproved
    }
    if isTold { try await waitForCancellation() }
  }

  package func setResponseExpected(_ isExpected: Bool) {
    state.withLock { $0.expectations.append(isExpected) }
  }

  package func watchPath(_ watcher: @escaping @Sendable (PathHealth) -> Void) {
    state.withLock { $0.watcher = watcher }
  }

  package func leaveSilentPath(for other: String) async {
    state.withLock { $0.leftFor.append(other) }
  }

  /// Nothing comes over the connection any more; the next ``connect()`` decides its fate.
  package func fallSilent() {
    let watcher = state.withLock { state in
      state.connection = nil
      return state.watcher
    }
    watcher?(.suspect)
  }

  /// The connection is gone, as if the network had cut it.
  package func loseConnection() {
    state.withLock { $0.connection = nil }
  }

  package func connect() async throws -> ConnectionInfo {
    if let open = state.withLock({ $0.connection }) { return open }
    let number = state.withLock { state in
      state.connects += 1
      return state.connects
    }
    let info = try await onConnect(number)
    state.withLock { $0.connection = info }
    return info
  }

  package func send(_ request: HTTPRequest, body: RequestBody) async throws -> TransportResponse {
    let info = try await connect()
    let bytes = try await Self.collect(body)
    let received = state.withLock { state in
      let received = Received(number: state.requests.count + 1, request: request, body: bytes)
      state.requests.append(received)
      return received
    }
    switch await respond(received) {
    case .failure(let error): throw error
    case .never:
      let (forever, keep) = AsyncStream.makeStream(of: Void.self)
      defer { withExtendedLifetime(keep) {} }
      for await _ in forever {}
      throw TransportError(.cancelled, "The request was cancelled.")
    case .response(let head, let steps):
      return TransportResponse(head: head, body: play(steps), connection: info, requestID: "\(received.number)")
    }
  }

  package func snapshot() async -> ConnectionSnapshot? {
    state.withLock { $0.connection }.map { ConnectionSnapshot(connection: $0) }
  }

  package func retireConnection() async {
    state.withLock { state in
      state.retires += 1
      state.connection = nil
    }
    await onRetire()
  }

  package func close() async {
    state.withLock { state in
      state.closes += 1
      state.connection = nil
    }
  }

  private func play(_ steps: [Step]) -> ResponseBody {
    let (taken, take) = AsyncStream.makeStream(of: Void.self)
    let player = ScriptPlayer()
    let body = BodyChannel(
      onConsumed: { _ in take.yield() },
      onCancel: { [self] in
        state.withLock { $0.cancelled += 1 }
        take.finish()
        player.cancel()
      })
    let task = Task {
      var permissions = taken.makeAsyncIterator()
      for step in steps where !Task.isCancelled {
        switch step {
        case .bytes(let bytes):
          body.yield(bytes)
          await permissions.next()
        case .ahead(let bytes): body.yield(bytes)
        case .end: body.finish()
        case .cut(let error): body.finish(throwing: error)
        case .wait(let wait): await wait()
        }
      }
    }
    player.run(task)
    return ResponseBody(body)
  }

  private static func collect(_ body: RequestBody) async throws -> [UInt8] {
    switch body {
    case .none: return []
    case .bytes(let bytes): return bytes
    case .stream(let chunks):
      var bytes: [UInt8] = []
      for try await chunk in chunks { bytes += chunk }
      return bytes
    }
  }
}

extension ConnectionInfo {
  /// A connection that was made at once.
  package static let scripted = ConnectionInfo(
    transport: .http1, cipher: nil, remoteAddress: "192.0.2.1:443", handshake: .milliseconds(23))
}
