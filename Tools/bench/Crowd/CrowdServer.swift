import ArgumentParser
import Foundation
import HTTPTypes
import StreamTransport
import ToolSupport

/// Our server with the limits that it has by default: `/events`, one every 100 ms; `/endless`; anything else is
/// read. Writes what it counts to a file, twice a second.
struct CrowdServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "crowd-server")

  /// The server's load by its clients, and what was refused to them so far.
  struct Status: Codable {
    var connections = 0
    var halfOpenRequests = 0
    var mostHeldBytes = 0
    var refusals: [String: Int] = [:]
  }

  @Argument var chain: String
  @Argument var key: String
  @Argument var status: String

  func run() async throws {
    IdlePeer.raiseDescriptorLimit()
    var configuration = HTTP3ServerConfiguration(
      address: "127.0.0.1", port: 0, certificatePEM: try String(contentsOfFile: chain, encoding: .utf8),
      privateKeyPEM: try String(contentsOfFile: key, encoding: .utf8))
    let load = HTTP3ServerLoad(configuration.limits)
    configuration.load = load
    let counters = CountingMetrics()
    let server = HTTP3Server(
      configuration, logger: TransportPeer.quietLogger, metrics: TransportMetrics(factory: counters)
    ) { exchange in
      // A client that leaves before the end is what is to be expected here.
      try? await Self.answer(exchange)
    }
    let port = try await server.start()
    var seen = Status()
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    var hasAnnounced = false
    while true {
      seen.connections = load.connectionCount
      seen.halfOpenRequests = load.halfOpenRequestCount
      seen.mostHeldBytes = max(seen.mostHeldBytes, load.heldBytes)
      seen.refusals = counters.counts(of: "agent_stream_server_refusals_total", by: "reason")
      try encoder.encode(seen).write(to: URL(fileURLWithPath: status), options: .atomic)
      if !hasAnnounced { StandardOutput.write(String(port)) }
      hasAnnounced = true
      try await Task.sleep(for: .milliseconds(500))
    }
  }

  private static func answer(_ exchange: HTTP3ServerExchange) async throws {
    switch exchange.request.path {
    case "/events":
      try await exchange.respond(HTTPResponse(status: .ok))
      let clock = ContinuousClock()
      let (start, first) = (clock.now, TransportPeer.monotonic)
      for index in 0... {
        try await clock.sleep(until: start + .milliseconds(100) * index)
        // When it was due, so that what keeps the server from writing counts too.
        try await exchange.write(Array("data: \(first + Int64(index) * 100_000_000)\n\n".utf8))
      }
    case "/endless":
      try await exchange.respond(HTTPResponse(status: .ok))
      let chunk = [UInt8](repeating: 0, count: 16 << 10)
      while true { try await exchange.write(chunk) }
    default:
      for try await _ in exchange.body {}
      try await exchange.respond(HTTPResponse(status: .ok))
    }
    try await exchange.finish()
  }
}
