import HTTP3Engine
import StreamTransport

/// A server that is an engine on a loopback socket and nothing else, for what ``HTTP3Server`` never does. It answers
/// each request with 204.
actor EngineServer {
  /// The time at which a client that reports ECN marks is cut off.
  enum Intolerance: Sendable {
    case none
    /// At its first report, with the code.
    case atOnce(QUICErrorCode)
    /// Once it has sent a request too.
    case atItsRequest(QUICErrorCode)
  }

  /// The path of a request that gets no answer.
  static let unanswered = "/unanswered"
  /// The path of a request to which a datagram comes in place of a body.
  static let datagram = "/datagram"

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  nonisolated let port: Int
  private(set) var requests: [[HeaderField]] = []
  private(set) var connectionCount = 0
  var refusedCount: Int { refused.count }
  private var refused: Set<ConnectionKey> = []
  /// Datagrams that came with an ECN mark.
  private(set) var markedCount = 0
  /// The addresses from which nothing is heard.
  private var unheard: Set<NetworkAddress.IP> = []
  /// Datagrams that were not heard.
  private(set) var unheardCount = 0
  private let intolerance: Intolerance
  private let endpoint: HTTP3ServerEndpoint
  private let socket: UDPSocket
  private let receiveBuffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: EventLoop.receiveBufferSize, alignment: 16)
  private var batch = DatagramBatch()
  private var reporters: Set<ConnectionKey> = []
  private var registration: EventLoop.Registration?
  private var timer: LoopTimer?

  private init(_ configuration: ServerConfiguration, _ intolerance: Intolerance) throws {
    self.intolerance = intolerance
    loop = try EventLoopGroup.shared.get().nextLoop()
    endpoint = HTTP3ServerEndpoint(configuration, random: RandomSource())
    socket = try UDPSocket(bindingTo: .loopback(port: 0))
    port = Int(socket.localAddress.port)
  }

  /// Runs a server as long as `body` runs.
  static func run(
    _ certificate: DevelopmentCertificate, _ intolerance: Intolerance = .none,
    configure: (inout ServerConfiguration) -> Void = { _ in }, body: (EngineServer) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration(
      credentials: try ServerCredentials(
        certificateChainPEM: Array(certificate.certificatePEM.utf8),
        privateKeyPEM: Array(certificate.privateKeyPEM.utf8)))
    // How it sees what a client reports.
    configuration.connection.qlog = QlogConfiguration()
    configure(&configuration)
    let server = try EngineServer(configuration, intolerance)
    try await server.open()
    do {
      try await body(server)
      await server.close()
    } catch {
      await server.close()
      throw error
    }
  }

  private func open() throws {
    registration = try loop.register(socket, [.readable]) { [weak self] _ in self?.assumeIsolated { $0.receive() } }
    timer = LoopTimer(loop) { [weak self] in
      self?.assumeIsolated {
        $0.endpoint.handleTimeout(at: $0.loop.now)
        $0.pass()
      }
    }
  }

  private func close() {
    if let registration { loop.unregister(registration, socket) }
    socket.close()
    timer?.cancel()
    receiveBuffer.deallocate()
    batch.deallocate()
  }

  /// Loses from now on what comes from these addresses, and from no other.
  func lose(from addresses: Set<NetworkAddress.IP>) {
    unheard = addresses
  }

  private func receive() {
    let now = loop.now
    _ = socket.receive(into: receiveBuffer) { bytes, path, ecn in
      guard !unheard.contains(path.remote.ip) else {
        unheardCount += 1
        return
      }
      if ecn != .notECT { markedCount += 1 }
      endpoint.receive(bytes, on: path, ecn: ecn, at: now)
    }
    pass()
  }

  private func pass() {
    readReports()
    var isBusy = true
    while isBusy {
      isBusy = false
      while endpoint.fill(&batch, at: loop.now) { _ = socket.send(batch) }
      while let (key, event) = endpoint.nextEvent() {
        isBusy = true
        handle(event, of: key)
      }
    }
    timer?.set(endpoint.deadline)
  }

  private func handle(_ event: HTTP3Event, of key: ConnectionKey) {
    switch event {
    case .handshakeCompleted: connectionCount += 1
    case .headersReceived(let id, let fields):
      readReports()
      if case .atItsRequest(let code) = intolerance, reporters.contains(key) { return refuse(key, code) }
      // The report and the request may have come together.
      guard !refused.contains(key) else { return }
      requests.append(fields)
      guard !fields.contains(HeaderField(":path", Self.unanswered)) else { return }
      let connection = endpoint.connection(key)
      guard !fields.contains(HeaderField(":path", Self.datagram)) else {
        try? connection?.sendResponse([HeaderField(":status", "200")], on: id, endStream: false)
        try? connection?.sendDatagram([1], on: id)
        return
      }
      try? connection?.sendResponse([HeaderField(":status", "204")], on: id, endStream: true)
    default: break
    }
  }

  /// ACK frames with ECN counts, by the engine's own record of what it read.
  private func readReports() {
    for (key, output) in endpoint.takeQlog() {
      let isReport = String(decoding: output.bytes, as: UTF8.self).split(separator: "\u{1e}").contains {
        $0.contains("\"transport:packet_received\"") && $0.contains("\"ect0\"")
      }
      guard isReport, reporters.insert(key).inserted else { continue }
      if case .atOnce(let code) = intolerance { refuse(key, code) }
    }
  }

  private func refuse(_ key: ConnectionKey, _ code: QUICErrorCode) {
    refused.insert(key)
    endpoint.connection(key)?.close(transportError: code, reason: "missing frame handler", at: loop.now)
  }
}
