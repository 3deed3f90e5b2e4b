import ArgumentParser
import Foundation
import HTTP3Engine
import StreamTransport
import Synchronization
import ToolSupport

/// The client of `bench server`, the same for every server: a load of one kind, and how long its operations took.
struct LoadPeer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "load")

  enum Mode: String, ExpressibleByArgument {
    /// Connections one after the other in each lane, with one request each.
    case full, resumed, early
    /// Requests on connections that stay.
    case requests
    /// Streams of events that stay open for some seconds.
    case events
    /// Requests without an end, which a server has to hold.
    case hold
  }

  struct Measured: Codable {
    var operations = 0
    /// The number of `operations` whose handshake resumed a session, and whose early data was accepted.
    var resumed = 0
    var early = 0
    var p50Us = 0.0
    var p99Us = 0.0
  }

  @Argument var mode: Mode
  @Argument var port: Int
  @Argument var authority: String
  @Argument var path: String
  @Argument(help: "Connections or requests in sum; streams where they stay open.") var count: Int
  @Option(help: "Operations at once, on each connection where those stay.") var lanes = 1
  @Option(help: "Connections that stay.") var connections = 1
  @Option(help: "Bytes of a request.") var bytes = 0
  @Option(help: "Seconds for which streams stay open.") var seconds = 5.0

  func run() async throws {
    IdlePeer.raiseDescriptorLimit()
    let load = Load(
      port: port, path: path, loop: try EventLoop(name: "load"),
      verifier: try CertificateVerifier(
        .authorities(pem: Array(try Data(contentsOf: URL(fileURLWithPath: authority))))))
    let measured =
      switch mode {
      case .full, .resumed, .early: try await load.connect(mode, count: count, lanes: lanes)
      case .requests:
        try await load.request(count: count, connections: connections, lanes: lanes, byteCount: bytes)
      case .events, .hold: try await load.follow(mode, count: count, seconds: seconds)
      }
    StandardOutput.write(try JSONLine.text(of: measured, keys: .convertToSnakeCase))
  }
}

/// The shared state of a load's lanes.
private final class Load: Sendable {
  private let port: Int
  private let path: String
  private let loop: EventLoop
  private let verifier: CertificateVerifier
  private let left = Mutex(0)
  private let seen = Mutex((measured: LoadPeer.Measured(), times: [Int64]()))

  init(port: Int, path: String, loop: EventLoop, verifier: CertificateVerifier) {
    self.port = port
    self.path = path
    self.loop = loop
    self.verifier = verifier
  }

  // MARK: Connections that come and go

  func connect(_ mode: LoadPeer.Mode, count: Int, lanes: Int) async throws -> LoadPeer.Measured {
    left.withLock { $0 = count }
    try await withThrowingTaskGroup { group in
      for _ in 0..<lanes { group.addTask { try await self.connectInTurn(mode) } }
      try await group.waitForAll()
    }
    return result
  }

  private func connectInTurn(_ mode: LoadPeer.Mode) async throws {
    var ticket: ResumptionTicket?
    if mode != .full { ticket = try await connection(with: nil, mode, isCounted: false) }
    while takeOne() { ticket = try await connection(with: ticket, mode) }
  }

  /// Opens one, makes a request, closes it; answers with the ticket that it brought.
  private func connection(
    with ticket: ResumptionTicket?, _ mode: LoadPeer.Mode, isCounted: Bool = true
  ) async throws -> ResumptionTicket? {
    var ticket = mode == .full ? nil : ticket
    // Without the server's limits nothing is sent early.
    if mode != .early { ticket?.transportParameters = [] }
    let start = TransportPeer.monotonic
    let client = try await LoadClient.connect(to: port, trusting: verifier, ticket: ticket, on: loop)
    try await client.begin()
    try check(await client.answer(to: path))
    let time = TransportPeer.monotonic - start
    // Early data may be answered before the handshake is complete.
    let next = mode == .full ? nil : await client.takeTicket()
    let handshake = await client.handshake
    await client.close()
    if mode != .full, next == nil { throw ValidationError("The server gave no ticket.") }
    if isCounted {
      add(time)
      seen.withLock {
        $0.measured.resumed += handshake?.isResumed == true ? 1 : 0
        $0.measured.early += handshake?.earlyData == .accepted ? 1 : 0
      }
    }
    return next
  }

  // MARK: Connections that stay

  func request(count: Int, connections: Int, lanes: Int, byteCount: Int) async throws -> LoadPeer.Measured {
    var clients: [LoadClient] = []
    for _ in 0..<connections {
      let client = try await LoadClient.connect(to: port, trusting: verifier, on: loop)
      try await client.begin()
      clients.append(client)
    }
    left.withLock { $0 = count }
    try await withThrowingTaskGroup { group in
      for client in clients {
        for _ in 0..<lanes {
          group.addTask {
            while self.takeOne() {
              let start = TransportPeer.monotonic
              try self.check(await client.answer(to: self.path, sending: byteCount))
              self.add(TransportPeer.monotonic - start)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for client in clients { await client.close() }
    return result
  }

  /// A line is printed when all are open.
  func follow(_ mode: LoadPeer.Mode, count: Int, seconds: Double) async throws -> LoadPeer.Measured {
    var clients: [LoadClient] = []
    for _ in 0..<count {
      let client = try await LoadClient.connect(to: port, trusting: verifier, on: loop) { self.addEvents($0) }
      try await client.begin()
      if mode == .hold { try await client.hold(path) } else { try await client.follow(path) }
      clients.append(client)
    }
    try await Task.sleep(for: .seconds(1))
    seen.withLock { $0 = (LoadPeer.Measured(), []) }
    StandardOutput.write("open")
    try await Task.sleep(for: .seconds(seconds))
    let result = result
    withExtendedLifetime(clients) {}
    return result
  }

  /// An event's data is the time at which it was due.
  private func addEvents(_ bytes: [UInt8]) {
    let now = TransportPeer.monotonic
    for event in String(decoding: bytes, as: UTF8.self).split(separator: "\n\n") {
      let digits = event.dropFirst("data: ".count).prefix { $0 != " " }
      if let due = Int64(digits) { add(now - due) }
    }
  }

  // MARK: Counting

  private func takeOne() -> Bool {
    left.withLock {
      guard $0 > 0 else { return false }
      $0 -= 1
      return true
    }
  }

  private func check(_ answer: LoadClient.Answer) throws {
    guard answer.status == "200" else { throw ValidationError("The server answered \(path) with \(answer.status).") }
  }

  private func add(_ time: Int64) {
    seen.withLock {
      $0.measured.operations += 1
      $0.times.append(time)
    }
  }

  private var result: LoadPeer.Measured {
    seen.withLock { seen in
      let sorted = seen.times.sorted()
      guard let last = sorted.last else { return seen.measured }
      seen.measured.p50Us = Double(sorted[sorted.count / 2]) / 1e3
      seen.measured.p99Us = Double(sorted.count >= 100 ? sorted[sorted.count * 99 / 100] : last) / 1e3
      return seen.measured
    }
  }
}
