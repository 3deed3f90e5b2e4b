import ArgumentParser
import Foundation
import HTTP3Engine
import LabPeers
import LinkModel
import StreamTransport
import Synchronization

/// Clients that behave: each follows one event stream and notes how late its events are.
struct GoodCrowd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "crowd-good")

  struct Seen: Codable {
    /// Clients that had no stream to the end.
    var refused: Int
    var events: Int
    var p50Ms: Double
    var p99Ms: Double
  }

  @Argument var port: Int
  @Argument var authority: String
  @Argument var count: Int
  @Argument var seconds: Double

  /// Nanoseconds that events were late.
  private final class Delays: Sendable {
    private let values = Mutex<[Int64]>([])

    /// A piece of a stream may hold several events.
    func add(_ bytes: [UInt8], at now: Int64) {
      for event in String(decoding: bytes, as: UTF8.self).split(separator: "\n\n") {
        guard let due = Int64(event.dropFirst("data: ".count)) else { continue }
        values.withLock { $0.append(now - due) }
      }
    }

    var sorted: [Int64] { values.withLock { $0.sorted() } }
  }

  func run() async throws {
    IdlePeer.raiseDescriptorLimit()
    let verifier = try CertificateVerifier(
      .authorities(pem: Array(try Data(contentsOf: URL(fileURLWithPath: authority)))))
    let loop = try EventLoop(name: "good")
    let delays = Delays()
    var manner = EngineClient.Manner()
    manner.onBody = { delays.add($1, at: TransportPeer.monotonic) }
    var clients: [(client: EngineClient, stream: StreamID?)] = []
    for index in 0..<count {
      let source = NetworkAddress.IP.v4(0x7f00_0201 + UInt32(index / 5))
      let client = try await EngineClient.connect(to: port, from: source, trusting: verifier, on: loop, manner: manner)
      // One after the other, as people come.
      for _ in 0..<500 {
        if await client.isEstablished { break }
        if await client.closed != nil { break }
        try await Task.sleep(for: .milliseconds(20))
      }
      clients.append((client, try? await client.send("/events")))
    }
    try await Task.sleep(for: .seconds(seconds))
    var refused = 0
    for (client, stream) in clients {
      let isServed = if let stream { await client.isServed(on: stream) } else { false }
      if !isServed { refused += 1 }
    }
    let late = delays.sorted
    func milliseconds(_ quantile: Double) -> Double {
      Quantile.nearestRank(quantile, sorted: late).map { Double($0) / 1e6 } ?? .infinity
    }
    try ChildProcess.report(
      Seen(refused: refused, events: late.count, p50Ms: milliseconds(0.5), p99Ms: milliseconds(0.99)))
  }
}
