import ArgumentParser
import Foundation
import HTTPTypes
import StreamTransport
import ToolSupport

/// Our server: `/bytes/N`, `/events/N` of 200 bytes every 20 ms, `/idle`, and anything that is sent to it.
struct ServePeer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "serve")

  @Argument var chain: String
  @Argument var key: String

  func run() async throws {
    var configuration = HTTP3ServerConfiguration(
      address: "127.0.0.1", port: 0, certificatePEM: try String(contentsOfFile: chain, encoding: .utf8),
      privateKeyPEM: try String(contentsOfFile: key, encoding: .utf8))
    configuration.limits.maximumConnections = 20_000
    configuration.limits.maximumConnectionsPerPrefix = 20_000
    configuration.limits.maximumHeldBytes = 4 << 30
    configuration.limits.maximumHeldBytesPerPrefix = 4 << 30
    configuration.limits.idleTimeout = .seconds(600)
    let server = HTTP3Server(configuration, logger: TransportPeer.quietLogger) { exchange in
      // A client that leaves before the end is none of the benchmark's business.
      try? await Self.answer(exchange)
    }
    StandardOutput.write(String(try await server.start()))
    try await Task.sleep(for: .seconds(1 << 20))
  }

  private static func answer(_ exchange: HTTP3ServerExchange) async throws {
    let parts = exchange.request.path?.split(separator: "/") ?? []
    let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    switch parts.first {
    case "bytes":
      try await exchange.respond(HTTPResponse(status: .ok))
      let chunk = [UInt8](repeating: 0, count: 64 << 10)
      var left = number
      while left > 0 {
        try await exchange.write(left >= chunk.count ? chunk : Array(chunk.prefix(left)))
        left -= chunk.count
      }
    case "events":
      try await exchange.respond(HTTPResponse(status: .ok))
      try await sendEvents(number, exchange)
    case "idle":
      try await exchange.respond(HTTPResponse(status: .ok))
      try await exchange.write(Array("data: hello\n\n".utf8))
      try await Task.sleep(for: .seconds(1 << 20))
    default:
      for try await _ in exchange.body {}
      try await exchange.respond(HTTPResponse(status: .ok))
    }
    try await exchange.finish()
  }

  /// Each one begins with the time at which it is written.
  private static func sendEvents(_ count: Int, _ exchange: HTTP3ServerExchange) async throws {
    let clock = ContinuousClock()
    let start = clock.now
    for index in 0..<count {
      try await clock.sleep(until: start + .milliseconds(20) * index)
      let head = "data: \(TransportPeer.monotonic) "
      try await exchange.write(Array((head + String(repeating: "x", count: 198 - head.utf8.count) + "\n\n").utf8))
    }
  }
}
