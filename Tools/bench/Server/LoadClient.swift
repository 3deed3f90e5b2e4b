import HTTP3Engine
import LabPeers
import StreamTransport

/// One connection of a load: an engine on a loopback socket, with as little around it as can be, so that what is measured
/// is the server.
actor LoadClient: EngineSocketOwner {
  /// A request's answer in full.
  struct Answer {
    var status: String
    var byteCount: Int
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// The result of the handshake; nil before it is complete.
  private(set) var handshake: HandshakeInfo?
  private let socket: EngineSocket
  private let onBody: @Sendable ([UInt8]) -> Void
  private var tickets: [ResumptionTicket] = []
  private var answers: [StreamID: Answer] = [:]
  private var waiting: [StreamID: CheckedContinuation<Answer, any Error>] = [:]
  private var openers: [CheckedContinuation<Void, any Error>] = []
  private var failure: HTTP3Error?

  /// Begins a connection.
  ///
  /// - Parameters:
  ///   - ticket: of an earlier one, to resume.
  ///   - onBody: called on the loop with each piece of a body.
  static func connect(
    to port: Int, trusting verifier: CertificateVerifier, ticket: ResumptionTicket? = nil, on loop: EventLoop,
    onBody: @escaping @Sendable ([UInt8]) -> Void = { _ in }
  ) async throws -> LoadClient {
    var configuration = ClientConfiguration(host: "localhost", verifier: verifier)
    configuration.ticket = ticket
    let client = try LoadClient(configuration, to: port, on: loop, onBody: onBody)
    try await client.open()
    return client
  }

  private init(
    _ configuration: ClientConfiguration, to port: Int, on loop: EventLoop,
    onBody: @escaping @Sendable ([UInt8]) -> Void
  ) throws {
    self.loop = loop
    self.onBody = onBody
    socket = try EngineSocket(configuration, to: port, on: loop)
  }

  // MARK: Requests

  /// Waits for the handshake, unless requests may leave as early data.
  func begin() async throws {
    if let failure { throw failure }
    guard handshake == nil, !engine.isSendingEarlyData else { return }
    try await withCheckedThrowingContinuation { openers.append($0) }
  }

  /// Sends a request, of so many bytes, and waits for the whole answer.
  func answer(to path: String, sending byteCount: Int = 0) async throws -> Answer {
    let id = try send(path, byteCount)
    return try await withCheckedThrowingContinuation { waiting[id] = $0 }
  }

  /// Sends a request whose answer nobody waits for.
  func follow(_ path: String) throws { _ = try send(path, 0) }

  /// Sends the fields of a request whose body never ends.
  func hold(_ path: String) throws {
    _ = try engine.sendRequest(Self.fields("POST", path), endStream: false)
    pass()
  }

  private func send(_ path: String, _ byteCount: Int) throws -> StreamID {
    if let failure { throw failure }
    defer { pass() }
    guard byteCount > 0 else { return try engine.sendRequest(Self.fields("GET", path), endStream: true) }
    let id = try engine.sendRequest(Self.fields("POST", path), endStream: false)
    try engine.sendBody([UInt8](repeating: 0, count: byteCount), on: id, endStream: true)
    return id
  }

  private static func fields(_ method: String, _ path: String) -> [HeaderField] {
    [
      HeaderField(":method", method), HeaderField(":scheme", "https"), HeaderField(":authority", "localhost"),
      HeaderField(":path", path),
    ]
  }

  /// The newest ticket that the server gave; nil if it gives none within two seconds.
  func takeTicket() async -> ResumptionTicket? {
    for _ in 0..<2_000 where tickets.isEmpty && failure == nil { try? await Task.sleep(for: .milliseconds(1)) }
    return tickets.popLast()
  }

  func close() {
    engine.close(.noError, reason: "", at: loop.now)
    pass()
    socket.close()
  }

  // MARK: The loop's calls

  private var engine: HTTP3Connection { socket.engine }

  private func open() throws {
    try socket.open(for: self)
    // A first request that is early data leaves with the first packet.
    if !engine.isSendingEarlyData { pass() }
  }

  func receive() {
    socket.receive()
    pass()
  }

  func handleTimeout() {
    socket.handleTimeout()
    pass()
  }

  private func pass() { socket.pass { handle($0) } }

  private func handle(_ event: HTTP3Event) {
    switch event {
    case .handshakeCompleted(let info):
      handshake = info
      for opener in openers { opener.resume() }
      openers = []
    case .headersReceived(let id, let fields):
      answers[id] = Answer(status: fields.first { $0.name == ":status" }?.value ?? "", byteCount: 0)
    case .bodyReceived(let id, let bytes):
      answers[id]?.byteCount += bytes.count
      onBody(bytes)
      engine.consume(bytes.count, on: id)
    case .messageCompleted(let id):
      guard let answer = answers.removeValue(forKey: id) else { return }
      waiting.removeValue(forKey: id)?.resume(returning: answer)
    case .streamReset(let id, let error):
      answers[id] = nil
      waiting.removeValue(forKey: id)?.resume(throwing: error)
    case .ticketReceived(let ticket): tickets.append(ticket)
    case .closed(let error): fail(error)
    case .requestBegan, .settingsReceived, .informationalReceived, .trailersReceived, .datagramReceived,
      .stopSendingReceived, .bodyAcknowledged, .streamClosed, .newTokenReceived, .pathValidated,
      .pathValidationFailed, .requestStreamsAvailable, .goAwayReceived, .pathSuspected, .pathAnswered:
      break
    }
  }

  private func fail(_ error: HTTP3Error) {
    failure = error
    for opener in openers { opener.resume(throwing: error) }
    openers = []
    for continuation in waiting.values { continuation.resume(throwing: error) }
    waiting = [:]
  }
}
