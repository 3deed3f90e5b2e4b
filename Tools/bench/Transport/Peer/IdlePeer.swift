import ArgumentParser
import Foundation
import Processes
import StreamTransport

/// Our client, many connections with a silent stream each.
struct IdlePeer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "idle")

  @Argument var url: String
  @Argument var authority: String
  @Argument var count: Int
  @Argument var seconds: Double

  struct Measured: Codable {
    var connections: Int
    /// The connections' share of the process's memory.
    var bytes: Double
    var cpuS: Double
    var switches: Double
    var seconds: Double
  }

  private struct Held: Sendable {
    var transport: HTTP3Transport
    var body: ResponseBody
  }

  func run() async throws {
    Self.raiseDescriptorLimit()
    // The first one brings what a process has once.
    var held = [try await Self.open(url, authority)]
    let before = ProcessMemory().resident ?? 0
    while held.count <= count {
      held += try await Self.open(min(20, count + 1 - held.count), url, authority)
    }
    let bytes = Double((ProcessMemory().resident ?? 0) - before)
    let start = ResourceUsage.own
    try await Task.sleep(for: .seconds(seconds))
    let used = ResourceUsage.own - start
    try ChildProcess.report(
      Measured(
        connections: held.count - 1, bytes: bytes, cpuS: used.processor, switches: used.switches, seconds: seconds))
  }

  private static func open(_ count: Int, _ url: String, _ authority: String) async throws -> [Held] {
    try await withThrowingTaskGroup(of: Held.self) { group in
      for _ in 0..<count { group.addTask { try await open(url, authority) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  private static func open(_ url: String, _ authority: String) async throws -> Held {
    let (transport, path) = try TransportPeer.transport(url, authority)
    let body = try await transport.send(TransportPeer.get(path)).body
    for try await _ in body { break }
    return Held(transport: transport, body: body)
  }

  /// A connection is a socket, and shells allow 1 024 of them.
  static func raiseDescriptorLimit() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
