import Dispatch
import Foundation
import HTTP3Engine
import HTTPTypes
import StreamTransport
import Synchronization
import TestSupport
import Testing
import TransportRecords

/// Coming back to a server over loopback: tickets, early data, and what a server refuses of it.
@Suite struct HTTP3ResumptionTests {
  /// Requests that a handler saw, by method and path.
  final class Seen: Sendable {
    private let requests = Mutex<[String]>([])
    var all: [String] { requests.withLock { $0 } }

    /// Counts each request and echoes it.
    var handler: HTTP3TestServer.Handler {
      { exchange in
        self.requests.withLock { $0.append("\(exchange.request.method.rawValue) \(exchange.request.path ?? "")") }
        await HTTP3TestServer.echo(exchange)
      }
    }
  }

  /// Connects once and waits until the store has its tickets.
  private static func warm(_ server: HTTP3TestServer, _ store: ResumptionStore, tickets: Int = 1) async throws {
    let transport = server.makeTransport(resumption: store)
    _ = try await transport.send(HTTPRequest(path: "/first")).body.collect(upTo: 0)
    await until { await store.ticketCount(transport.origin) >= tickets }
    await transport.close()
  }

  private static func fetch(_ transport: HTTP3Transport, _ path: String) async throws -> Resumption {
    let response = try await transport.send(HTTPRequest(path: path))
    _ = try await response.body.collect(upTo: 0)
    return response.connection.resumption
  }

  @Test(.timeLimit(.minutes(10))) func theSecondConnectionSendsItsRequestBesideTheHandshake() async throws {
    let seen = Seen()
    try await HTTP3TestServer.run(handler: seen.handler) { server in
      let store = ResumptionStore.patient
      try await Self.warm(server, store)
      let transport = server.makeTransport(resumption: store)
      #expect(try await Self.fetch(transport, "/second") == .earlyDataAccepted)
      #expect(try await Self.fetch(transport, "/third") == .earlyDataAccepted)
      #expect(try await transport.connect().resumption == .earlyDataAccepted)
      await transport.close()
    }
    #expect(seen.all == ["GET /first", "GET /second", "GET /third"])
  }

  /// Also one that went beside the handshake: what is in flight at a close fails.
  @Test(.timeLimit(.minutes(10))) func anEarlyRequestIsNotSentAgainAfterAClose() async throws {
    let seen = Seen()
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let store = ResumptionStore.patient
    try await HTTP3TestServer.run(handler: { exchange in
      guard exchange.request.path != "/first" else { return await seen.handler(exchange) }
      arrived.yield()
      // Ends with the client's leaving.
      for await _ in AsyncStream<Void>.makeStream().stream {}
    }) { server in
      try await Self.warm(server, store)
      let transport = server.makeTransport(resumption: store)
      let answer = Task { try await transport.send(HTTPRequest(path: "/second")) }
      for await _ in arrivals { break }
      await until { await transport.snapshot() != nil }
      await transport.close()
      let code = try await failureCode { _ = try await answer.value }
      #expect(code == .cancelled)
    }
    arrived.finish()
    var again = 0
    for await _ in arrivals { again += 1 }
    #expect(again == 0)
  }

  @Test(.timeLimit(.minutes(10))) func whatIsNotSafeWaitsForTheHandshake() async throws {
    let seen = Seen()
    try await HTTP3TestServer.run(handler: seen.handler) { server in
      let store = ResumptionStore.patient
      try await Self.warm(server, store)
      let transport = server.makeTransport(resumption: store)
      let response = try await transport.send(HTTPRequest(.post, path: "/second"), body: .bytes([1, 2, 3]))
      #expect(try await response.body.collect(upTo: 3) == [1, 2, 3])
      await transport.close()
    }
    #expect(seen.all == ["GET /first", "POST /second"])
  }

  /// A client that is not ours may send anything early.
  @Test(.timeLimit(.minutes(10))) func theServerAnswersAnUnsafeEarlyRequestWith425() async throws {
    let seen = Seen()
    try await HTTP3TestServer.run(handler: seen.handler) { server in
      let status = try await Self.firstFlight("POST", "/early", to: server)
      #expect(status == "425")
    }
    #expect(seen.all == ["GET /first"])
  }

  @Test(.timeLimit(.minutes(10))) func aHandlerSeesWhatCameAsEarlyData() async throws {
    let marks = Mutex<[String]>([])
    let handler: HTTP3TestServer.Handler = { exchange in
      marks.withLock { $0.append("\(exchange.request.path ?? "") \(exchange.isEarlyData)") }
      await HTTP3TestServer.echo(exchange)
    }
    try await HTTP3TestServer.run(handler: handler) { server in
      let status = try await Self.firstFlight("GET", "/early", to: server)
      #expect(status == "200")
    }
    #expect(marks.withLock { $0 } == ["/first false", "/early true"])
  }

  /// Connects once for a ticket, then sends a request in the very first datagrams, and answers the response's status.
  private static func firstFlight(
    _ method: String, _ path: String, to server: HTTP3TestServer
  ) async throws -> String? {
    let store = ResumptionStore.patient
    try await warm(server, store)
    var client = ClientConfiguration(
      host: "127.0.0.1",
      verifier: try TLSOptions(trust: .certificates(pem: server.certificate.certificatePEM)).makeVerifier())
    client.ticket = await store.take(Origin(scheme: .https, host: "127.0.0.1", port: server.port)).ticket
    func now() -> Timestamp { Timestamp(nanoseconds: DispatchTime.now().uptimeNanoseconds) }
    let socket = try UDPSocket(connectingTo: .loopback(port: UInt16(clamping: server.port)))
    let route = try #require(socket.path)
    let engine = try HTTP3Connection.client(client, path: route, at: now(), random: RandomSource())
    _ = try engine.sendRequest(
      [
        HeaderField(":method", method), HeaderField(":scheme", "https"), HeaderField(":authority", "127.0.0.1"),
        HeaderField(":path", path),
      ], endStream: true)
    var batch = DatagramBatch()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * UDPSocket.slotSize, alignment: 16)
    defer {
      batch.deallocate()
      buffer.deallocate()
    }
    while true {
      while engine.fill(&batch, at: now()) { _ = socket.send(batch) }
      _ = socket.receive(into: buffer) { engine.receive($0, on: $1, ecn: $2, at: now()) }
      while let event = engine.nextEvent() {
        if case .headersReceived(_, let fields) = event { return fields.first { $0.name == ":status" }?.value }
        if case .closed(let error) = event { throw error }
      }
      await Task.yield()
    }
  }

  /// After its restart a server knows the tickets, if it keeps its secret, and takes no early data with them.
  @Test(.timeLimit(.minutes(10)), arguments: [true, false])
  func aRestartedServerServesEachRequestOnce(_ keepsSecret: Bool) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tickets-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = keepsSecret ? folder.appending(path: "secret").path : nil
    let store = ResumptionStore.patient
    let host = keepsSecret ? "127.83.2.3" : "127.83.2.4"
    let first = try await HTTP3TestServer.start(host: host, configure: { $0.options.ticketSecretFile = file })
    try await Self.warm(first, store)
    await first.server.close()
    let seen = Seen()
    try await HTTP3TestServer.run(
      certificate: first.certificate, host: host, port: first.port,
      configure: { $0.options.ticketSecretFile = file },
      handler: seen.handler
    ) { server in
      let transport = server.makeTransport(resumption: store)
      async let one = Self.fetch(transport, "/one")
      async let two = Self.fetch(transport, "/two")
      let both = try await [one, two]
      #expect(both == [.earlyDataRefused, .earlyDataRefused])
      await transport.close()
    }
    #expect(seen.all.sorted() == ["GET /one", "GET /two"])
    if let file {
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(attributes[.size] as? Int == 32)
    }
  }

  @Test(.timeLimit(.minutes(10))) func aSecretFileOfTheWrongSizeIsRefused() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID().uuidString)")
    try Data([1, 2, 3]).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let code = try await failureCode {
      _ = try await HTTP3TestServer.start(configure: { $0.options.ticketSecretFile = file.path })
    }
    #expect(code == .invalidRequest)
  }

  @Test(.timeLimit(.minutes(10))) func earlyDataCanBeTurnedOff() async throws {
    try await HTTP3TestServer.run { server in
      let store = ResumptionStore.patient
      try await Self.warm(server, store)
      var configuration = HTTP3TransportConfiguration.patient
      configuration.sendsEarlyData = false
      let transport = server.makeTransport(configuration: configuration, resumption: store)
      #expect(try await Self.fetch(transport, "/") == .resumed)
      await transport.close()
    }
  }

  @Test(.timeLimit(.minutes(10))) func aServerThatAlwaysAsksIsReached() async throws {
    try await HTTP3TestServer.run(configure: { $0.options.alwaysValidatesAddresses = true }) { server in
      let store = ResumptionStore.patient
      try await Self.warm(server, store)
      let transport = server.makeTransport(resumption: store)
      #expect(try await Self.fetch(transport, "/") == .earlyDataAccepted)
      await transport.close()
    }
  }

  /// A ticket is used up by the address that it went to; the next address has the next one.
  @Test(.timeLimit(.minutes(10))) func theSecondAddressResumesToo() async throws {
    let silent = try UDPSocket(bindingTo: .loopback(port: 0))
    let silentAddress = silent.localAddress
    try await HTTP3TestServer.run { server in
      let store = ResumptionStore.patient
      try await Self.warm(server, store, tickets: 2)
      let transport = HTTP3Transport(
        origin: Origin(scheme: .https, host: "127.0.0.1", port: server.port),
        tls: TLSOptions(trust: .certificates(pem: server.certificate.certificatePEM)), logger: .quiet,
        configuration: .patient, resumption: store
      ) { _, _, _ in [silentAddress, .loopback(port: UInt16(clamping: server.port))] }
      #expect(try await transport.connect().resumption == .earlyDataAccepted)
      await transport.close()
    }
    withExtendedLifetime(silent) {}
  }

  /// Without a network nothing is sent, so nothing is used up: many attempts may be made until it is back.
  @Test(.timeLimit(.minutes(10)), arguments: [true, false])
  func anAttemptThatSendsNothingUsesNoTicketUp(_ hasAddress: Bool) async throws {
    try await HTTP3TestServer.run { server in
      let store = ResumptionStore.patient
      try await Self.warm(server, store, tickets: 2)
      let origin = Origin(scheme: .https, host: "127.0.0.1", port: server.port)
      let before = await store.ticketCount(origin)
      let none = LocalNetwork { (_: NetworkAddress) throws(SystemError) -> UDPSocket in
        throw SystemError("connect", number: ENETUNREACH)
      } contains: { _ in
        false
      }
      let transport = HTTP3Transport(
        origin: origin, tls: TLSOptions(trust: .certificates(pem: server.certificate.certificatePEM)), logger: .quiet,
        configuration: .patient, resumption: store, network: none
      ) { _, _, _ in
        guard hasAddress else { throw TransportError(.nameNotFound, "There is no name server.") }
        return [.loopback(port: UInt16(clamping: server.port))]
      }
      let code = try await failureCode { _ = try await transport.connect() }
      #expect(code == (hasAddress ? .unreachable : .nameNotFound))
      #expect(await store.ticketCount(origin) == before)
      await transport.close()
    }
  }

  /// Nobody listens any more: early data does not hide the reason, and its cancellation ends the attempt.
  @Test(.timeLimit(.minutes(10))) func aServerThatIsGoneIsReported() async throws {
    let store = ResumptionStore.patient
    let server = try await HTTP3TestServer.start(host: "127.83.2.5")
    try await Self.warm(server, store)
    await server.server.close()
    let transport = server.makeTransport(resumption: store)
    let code = try await failureCode { _ = try await transport.send(HTTPRequest(path: "/")) }
    #expect(code == .connectionRefused)
    await transport.close()
  }
}
