import ArgumentParser
import Foundation
import LinkModel

/// One event of 200 bytes every 20 ms from our server: how late each one is delivered, and what it costs.
struct SparseSection {
  let seconds: Int
  let rounds: Int
  let programs: Programs

  private struct Measured: Decodable {
    var delaysNs: [Double]
    var cpuS: Double
    var switches: Double
  }

  private var count: Int { seconds * 50 }

  func run() throws -> [ComparisonTable] {
    guard let server = try RunningServer.start(.ours, programs) else { return [] }
    defer { server.end() }
    // gtlsclient reports no times.
    let clients = Contestant.allCases.filter { $0 != .gtlsclient && $0.isAvailable(programs) }
    var values: [Contestant: [Median]] = [:]
    for _ in 0..<rounds {
      for client in clients {
        guard let command = client.command("events", "\(server.url)/events/\(count)", programs) else { continue }
        let measured = try ChildProcess.measure(command, as: Measured.self)
        guard measured.delaysNs.count == count else {
          throw ValidationError("\(client.rawValue) delivered \(measured.delaysNs.count) of \(count) events.")
        }
        let sorted = measured.delaysNs.sorted()
        func microseconds(_ quantile: Double) -> Double { (Quantile.nearestRank(quantile, sorted: sorted) ?? 0) / 1e3 }
        let found = [
          microseconds(0.5), microseconds(0.99),
          measured.switches / Double(count), measured.cpuS / Double(count) * 1e6,
        ]
        for (index, value) in found.enumerated() {
          values[client, default: Array(repeating: Median(), count: found.count)][index].add(value)
        }
      }
    }
    let rows = clients.map { client in
      ComparisonTable.Row(
        name: client.rawValue, values: (values[client] ?? []).map(\.value) + [instructions(client, server)])
    }
    return [
      ComparisonTable(
        section: "sparse events", title: "client",
        columns: ["p50_us", "p99_us", "switches/event", "cpu_us/event", "instructions/event"], rows: rows,
        base: Contestant.libcurl.rawValue)
    ]
  }

  /// The instructions of the program, without the kernel's, that 200 events more take.
  private func instructions(_ client: Contestant, _ server: RunningServer) -> Double? {
    guard InstructionCounter.isAvailable(programs) else { return nil }
    let counts = [100, 300].map { count in
      client.command("events", "\(server.url)/events/\(count)", programs).flatMap {
        InstructionCounter.count($0, programs)?.instructions
      }
    }
    guard let few = counts[0], let many = counts[1] else { return nil }
    return (many - few) / 200
  }
}
