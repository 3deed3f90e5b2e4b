import ArgumentParser
import Foundation
import Processes

/// One large body over one connection, from and to each server.
struct TransferSection {
  enum Direction: String {
    case download
    case upload
  }

  let direction: Direction
  let size: Int
  let rounds: Int
  let programs: Programs

  private struct Measured: Decodable {
    var wallS: Double
    var cpuS: Double
    var switches: Double
  }

  /// aioquic moves some MB a second: a sixteenth shows as much.
  private func size(for client: Contestant) -> Int { client == .aioquic ? max(size / 16, 1) : size }

  func run() throws -> [ComparisonTable] {
    // Caddy's file server takes no bodies.
    let kinds: [RunningServer.Kind] =
      switch direction {
      case .download: [.gtlsserver, .caddy, .ours]
      case .upload: [.gtlsserver, .ours]
      }
    return try kinds.compactMap { kind in
      let sizes = Set(Contestant.allCases.map(size))
      guard let server = try RunningServer.start(kind, sizes: sizes, programs) else { return nil }
      defer { server.end() }
      return table(server)
    }
  }

  private func table(_ server: RunningServer) -> ComparisonTable {
    let clients = Contestant.allCases.filter { $0.isAvailable(programs) }
    var medians: [Contestant: [Median]] = [:]
    var failed: Set<Contestant> = []
    for _ in 0..<rounds {
      for client in clients where !failed.contains(client) {
        let before = server.process.flatMap(ResourceUsage.processor)
        let measured: Measured
        do {
          measured = try measure(client, server)
        } catch {
          programs.note("\(client.rawValue) failed to \(direction.rawValue) with \(server.kind.rawValue): \(error)")
          failed.insert(client)
          continue
        }
        let after = server.process.flatMap(ResourceUsage.processor)
        let gibibytes = Double(size(for: client)) / Double(1 << 30)
        var values = [measured.cpuS / gibibytes, measured.wallS / gibibytes, measured.switches / gibibytes]
        if let before, let after { values.append((after - before) / gibibytes) }
        for (index, value) in values.enumerated() {
          medians[client, default: Array(repeating: Median(), count: 4)][index].add(value)
        }
      }
    }
    return ComparisonTable(
      section: "\(direction.rawValue) \(server.kind.rawValue)", title: "client",
      columns: ["cpu_s/GiB", "wall_s/GiB", "switches/GiB", "server_cpu_s/GiB"],
      rows: clients.filter { !failed.contains($0) }.map { client in
        ComparisonTable.Row(name: client.rawValue, values: (medians[client] ?? []).map(\.value))
      }, base: Contestant.libcurl.rawValue)
  }

  private func measure(_ client: Contestant, _ server: RunningServer) throws -> Measured {
    switch direction {
    case .download:
      let url = server.url + server.path(of: size(for: client))
      if let command = client.command("download", url, programs) {
        return try ChildProcess.measure(command, as: Measured.self)
      }
      return try gtlsclient(server, [url])
    case .upload:
      let url = server.url + "/upload"
      if let command = client.command("upload", url, programs, [String(size(for: client))]) {
        return try ChildProcess.measure(command, as: Measured.self)
      }
      return try gtlsclient(server, ["-m", "POST", "-d", programs.file(of: size), url])
    }
  }

  /// The cost of gtlsclient, which measures nothing itself: its whole process counts, less what one costs that does
  /// nothing.
  private func gtlsclient(_ server: RunningServer, _ arguments: [String]) throws -> Measured {
    let idle = try ChildProcess.run([programs.ngtcp2, "gtlsclient", "--help"])
    let outcome = try ChildProcess.run(
      [
        programs.ngtcp2, "gtlsclient", "--quiet", "--exit-on-all-streams-close", "127.0.0.1", String(server.port),
      ] + arguments)
    guard outcome.status == 0 else {
      throw ValidationError("gtlsclient failed: \(outcome.errors.suffix(600))")
    }
    return Measured(
      wallS: outcome.wall - idle.wall, cpuS: outcome.used.processor - idle.used.processor,
      switches: outcome.used.switches - idle.used.switches)
  }
}
