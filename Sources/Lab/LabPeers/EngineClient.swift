package import HTTP3Engine
package import StreamTransport

/// A client that is an engine on a loopback socket and nothing else: it leaves open and unread what the test says.
package actor EngineClient: EngineSocketOwner {
  /// A client's handling of the server's data.
  package struct Manner: Sendable {
    /// Gives flow-control credit for what it receives.
    package var consumes = true
    /// Drops every packet of the handshake but Retry, so that it never completes.
    package var leavesHandshakeOpen = false
    /// Called on the loop with each piece of a body.
    package var onBody: (@Sendable (StreamID, [UInt8]) -> Void)?

    package init() {}
  }

  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  package private(set) var isEstablished = false
  package private(set) var closed: HTTP3Error?
  package private(set) var statuses: [StreamID: String] = [:]
  /// Body bytes that came.
  package private(set) var received: [StreamID: Int] = [:]
  package private(set) var resets: [StreamID: HTTP3Error] = [:]
  package private(set) var completed: Set<StreamID> = []
  private let manner: Manner
  private let socket: EngineSocket

  private init(
    _ configuration: ClientConfiguration, to port: Int, from source: NetworkAddress.IP, _ manner: Manner,
    on loop: EventLoop
  ) throws {
    self.loop = loop
    self.manner = manner
    socket = try EngineSocket(configuration, to: port, from: source, on: loop)
  }

  /// Begins a connection to a port of this machine.
  ///
  /// - Parameters:
  ///   - source: the address to come from, any of 127.0.0.0/8.
  ///   - loop: by default one of those that all share.
  package static func connect(
    to port: Int, from source: NetworkAddress.IP = .v4(0x7f00_0001), trusting verifier: CertificateVerifier,
    on loop: EventLoop? = nil, manner: Manner = Manner(),
    configure: (inout ConnectionConfiguration) -> Void = { _ in }
  ) async throws -> EngineClient {
    var configuration = ClientConfiguration(host: "localhost", verifier: verifier)
    configure(&configuration.connection)
    let loop = try loop ?? EventLoopGroup.shared.get().nextLoop()
    let client = try EngineClient(configuration, to: port, from: source, manner, on: loop)
    try await client.open()
    return client
  }

  /// Calls the engine and sends the resulting packets.
  @discardableResult
  package func perform<Result: Sendable>(_ body: @Sendable (HTTP3Connection) throws -> Result) rethrows -> Result {
    defer { pass() }
    return try body(socket.engine)
  }

  /// Sends a request without a body, or with more to come.
  package func send(_ path: String, method: String = "GET", endStream: Bool = true) throws -> StreamID {
    try perform {
      try $0.sendRequest(
        [
          HeaderField(":method", method), HeaderField(":scheme", "https"), HeaderField(":authority", "localhost"),
          HeaderField(":path", path),
        ], endStream: endStream)
    }
  }

  /// Whether the request was answered with 200 and nothing has ended it.
  package func isServed(on id: StreamID) -> Bool { closed == nil && resets[id] == nil && statuses[id] == "200" }

  /// Begins a request, of a raw connection, and leaves it in the middle of its header section; nil where the server allows
  /// no more.
  package func beginRequest() -> StreamID? {
    perform {
      let id = $0.raw?.open(isBidirectional: true)
      // A HEADERS frame of 256 bytes, of which 4 come.
      if let id { $0.raw?.send([0x01, 0x41, 0x00, 0x00, 0x00, 0xd1, 0xd7], on: id) }
      return id
    }
  }

  /// The codes with which the server reset a raw connection's streams.
  package var rawResets: [StreamID: UInt64] {
    var codes: [StreamID: UInt64] = [:]
    for case .resetStream(let id, let code, _) in socket.engine.raw?.endings ?? [] {
      codes[StreamID(Int64(clamping: id))] = code
    }
    return codes
  }

  /// Closes the socket without notifying the server.
  package func vanish() { socket.close() }

  private func open() throws {
    try socket.open(for: self)
    pass()
  }

  package func receive() {
    // A long header of type 3 (RFC 9000 § 17.2.5).
    socket.receive { !manner.leavesHandshakeOpen || $0[0] & 0xf0 == 0xf0 }
    pass()
  }

  package func handleTimeout() {
    socket.handleTimeout()
    pass()
  }

  private func pass() { socket.pass { handle($0) } }

  private func handle(_ event: HTTP3Event) {
    switch event {
    case .handshakeCompleted: isEstablished = true
    case .headersReceived(let id, let fields): statuses[id] = fields.first { $0.name == ":status" }?.value
    case .bodyReceived(let id, let bytes):
      received[id, default: 0] += bytes.count
      manner.onBody?(id, bytes)
      if manner.consumes { socket.engine.consume(bytes.count, on: id) }
    case .messageCompleted(let id): completed.insert(id)
    case .streamReset(let id, let error): resets[id] = error
    case .closed(let error): closed = error
    case .requestBegan, .settingsReceived, .informationalReceived, .trailersReceived, .datagramReceived,
      .stopSendingReceived, .bodyAcknowledged, .streamClosed, .ticketReceived, .newTokenReceived, .pathValidated,
      .pathValidationFailed, .requestStreamsAvailable, .goAwayReceived, .pathSuspected, .pathAnswered:
      break
    }
  }
}
