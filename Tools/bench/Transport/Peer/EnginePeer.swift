import ArgumentParser
import Foundation
import HTTP3Engine
import Processes
import StreamTransport

/// A client's and a server's engine joined in memory, a body without end from one to the other: no socket, no loop, no
/// task, and the time is made up.
struct EnginePeer: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "engine")

  @Argument var chain: String
  @Argument var key: String
  @Argument var authority: String
  @Argument(help: "Datagrams that the client receives.")
  var packets: Int

  struct Measured: Codable {
    /// Datagrams written and read, in both directions.
    var packets: UInt64
    var cpuS: Double
  }

  func run() throws {
    let pair = try EnginePair(chain: contents(chain), key: contents(key), authority: contents(authority))
    try pair.run(untilReceived: min(100, UInt64(packets)))
    let (before, earlier) = (ResourceUsage.own, pair.packetCount)
    try pair.run(untilReceived: UInt64(packets))
    let used = ResourceUsage.own - before
    try ChildProcess.report(Measured(packets: pair.packetCount - earlier, cpuS: used.processor))
  }

  private func contents(_ file: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: file))) }
}

/// The two engines and what lies between them.
private final class EnginePair {
  private let client: HTTP3Connection
  private let server: HTTP3ServerEndpoint
  private var batch = DatagramBatch()
  private var now = Timestamp(nanoseconds: 1_000_000_000)
  private let toServer: NetworkPath
  private let toClient: NetworkPath
  private var stream: StreamID?
  private let chunk = [UInt8](repeating: 0, count: 16 << 10)
  /// Time that a datagram takes; what keeps the window, and so batches, at the size that loopback has.
  private static let oneWay = Duration.microseconds(50)

  init(chain: [UInt8], key: [UInt8], authority: [UInt8]) throws {
    toServer = NetworkPath(local: .loopback(port: 40_000), remote: .loopback(port: 443))
    toClient = NetworkPath(local: toServer.remote, remote: toServer.local)
    let verifier = try CertificateVerifier(.authorities(pem: authority))
    client = try HTTP3Connection.client(
      ClientConfiguration(host: "localhost", verifier: verifier), path: toServer, at: now, random: RandomSource())
    server = HTTP3ServerEndpoint(
      ServerConfiguration(credentials: try ServerCredentials(certificateChainPEM: chain, privateKeyPEM: key)),
      random: RandomSource())
  }

  deinit { batch.deallocate() }

  var packetCount: UInt64 { client.statistics.datagramsSent + client.statistics.datagramsReceived }

  func run(untilReceived packets: UInt64) throws {
    while client.statistics.datagramsReceived < packets {
      guard !client.isClosed else { throw ValidationError("The engines' connection broke.") }
      let isMoving = turn()
      let next = now + Self.oneWay
      let due = client.deadline.map { min($0, server.deadline ?? $0) } ?? server.deadline
      now = isMoving ? next : max(next, due ?? next)
      client.handleTimeout(at: now)
      server.handleTimeout(at: now)
    }
  }

  /// One write pass and its events on each side.
  private func turn() -> Bool {
    var isMoving = false
    while client.fill(&batch, at: now) {
      isMoving = true
      for index in 0..<batch.segmentCount {
        server.receive(batch.segment(at: index), on: toClient, ecn: batch.ecn, at: now)
      }
    }
    while let (key, event) = server.nextEvent() { handle(event, key) }
    while server.fill(&batch, at: now) {
      isMoving = true
      for index in 0..<batch.segmentCount {
        client.receive(batch.segment(at: index), on: toServer, ecn: batch.ecn, at: now)
      }
    }
    while let event = client.nextEvent() { handle(event) }
    return isMoving
  }

  private func handle(_ event: HTTP3Event) {
    if case .bodyReceived(let id, let bytes) = event { return client.consume(bytes.count, on: id) }
    guard case .handshakeCompleted = event else { return }
    _ = try? client.sendRequest(
      [
        HeaderField(":method", "GET"), HeaderField(":scheme", "https"), HeaderField(":authority", "localhost"),
        HeaderField(":path", "/"),
      ], endStream: true)
  }

  private func handle(_ event: HTTP3Event, _ key: ConnectionKey) {
    if case .headersReceived(let id, _) = event {
      try? server.connection(key)?.sendResponse([HeaderField(":status", "200")], on: id, endStream: false)
      produce(id, key)
    } else if case .bodyAcknowledged(let id, _) = event {
      produce(id, key)
    }
  }

  /// Keeps a megabyte on its way.
  private func produce(_ id: StreamID, _ key: ConnectionKey) {
    guard let connection = server.connection(key) else { return }
    while connection.bufferedBytes(on: id) < 1 << 20 { try? connection.sendBody(chunk, on: id, endStream: false) }
  }
}
