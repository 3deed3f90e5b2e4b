import ArgumentParser
import Foundation
import Processes
import StreamTransport

/// Many connections, each with an event stream that says nothing, in one process: memory and processor time.
struct IdleSection {
  let connections: Int
  let seconds: Int
  let programs: Programs

  func run() throws -> [ComparisonTable] {
    let clients = [Contestant.ours, .libcurl].filter { $0.isAvailable(programs) }
    var rows: [ComparisonTable.Row] = []
    var serverRows: [ComparisonTable.Row] = []
    for client in clients {
      let (row, serverRow) = try measure(client, connections)
      rows.append(row)
      if client == .ours { serverRows.append(serverRow) }
    }
    if Contestant.gtlsclient.isAvailable(programs) {
      rows.append(ComparisonTable.Row(name: "gtlsclient, one", values: [try gtlsclient(), nil, nil]))
    }
    serverRows.append(try measure(.ours, connections * 5).server)
    return [
      ComparisonTable(
        section: "idle, \(connections) connections in one client", title: "client",
        columns: ["KiB/connection", "cpu_s/minute", "switches/minute"], rows: rows, base: Contestant.libcurl.rawValue),
      ComparisonTable(
        section: "idle, our server", title: "connections", columns: ["KiB/connection", "cpu_s/minute"],
        rows: serverRows),
    ]
  }

  private func measure(
    _ client: Contestant, _ count: Int
  ) throws -> (client: ComparisonTable.Row, server: ComparisonTable.Row) {
    guard let server = try RunningServer.start(.ours, programs), let process = server.process,
      let command = client.command("idle", server.url + "/idle", programs, [String(count), String(seconds)])
    else { throw ValidationError("Our own server does not start.") }
    defer { server.end() }
    let memory = ProcessMemory(of: process)
    let before = memory.resident ?? 0
    let measured = try ChildProcess.measure(command, as: IdlePeer.Measured.self)
    guard measured.connections == count else {
      throw ValidationError("\(client.rawValue) held \(measured.connections) of \(count) connections.")
    }
    let minute = 60 / measured.seconds
    return (
      ComparisonTable.Row(
        name: client.rawValue,
        values: [measured.bytes / Double(count) / 1_024, measured.cpuS * minute, measured.switches * minute]),
      ComparisonTable.Row(
        name: String(count), values: [Double((memory.peak ?? 0) - before) / Double(count) / 1_024, nil])
    )
  }

  /// The memory of gtlsclient's one connection a process: what the process holds with a silent stream, beyond what it
  /// holds while nobody has answered its first packet. That is less than a whole connection.
  private func gtlsclient() throws -> Double? {
    guard let server = try RunningServer.start(.ours, programs) else { return nil }
    defer { server.end() }
    let silent = try BoundSocket(.udp)
    return try withExtendedLifetime(silent) {
      let sizes = try [(UInt16(server.port), server.url + "/idle"), (silent.port, "https://127.0.0.1:\(silent.port)/")]
        .map {
          port, url in
          let child = try ChildProcess.start([programs.ngtcp2, "gtlsclient", "--quiet", "127.0.0.1", String(port), url])
          defer { child.end() }
          Thread.sleep(forTimeInterval: 1)
          return Double(ProcessMemory(of: child.identifier).anonymous ?? 0)
        }
      return (sizes[0] - sizes[1]) / 1_024
    }
  }
}
