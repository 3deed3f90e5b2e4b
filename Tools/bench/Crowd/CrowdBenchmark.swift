import ArgumentParser
import Foundation
import Processes
import StreamTransport

/// A server with its standard limits, event streams of clients that behave, and a crowd that holds on to all it can get.
struct CrowdBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crowd",
    abstract: "Measures event streams while other clients attack the server.",
    discussion: """
      Server, attackers and the others are processes of their own on loopback, so they compete for this machine's
      processors; attackers hold things open and burn little. The same streams run without attackers first. An event is
      late by the time from when it was due at the server until it is at its reader.
      """)

  @Option(help: "Clients that attack, from addresses 127.0.1.1 on.")
  var attackers = 5_000

  @Option(help: "Addresses that they come from.")
  var addresses = 50

  @Option(help: "Clients that behave, five of each address from 127.0.2.1 on.")
  var good = 100

  @Option(help: "Seconds for which the streams are watched.")
  var seconds = 20

  @Option(help: "Seconds over which the attackers arrive.")
  var ramp = 20

  @Flag(help: "Print one JSON object in place of the table.")
  var json = false

  struct Run: Encodable {
    var name: String
    var goodRefused: Int
    var events: Int
    var p50Ms: Double
    var p99Ms: Double
    var serverMemory: Double
    var serverProcessor: Double
    var server: CrowdServer.Status
  }

  func validate() throws {
    guard attackers > 0, (1...254).contains(addresses), (1...1_000).contains(good), seconds > 0, ramp > 0 else {
      throw ValidationError("Every number must be at least 1, and addresses at most 254.")
    }
  }

  func run() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("agent-stream-crowd-\(getpid())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let certificate = try DevelopmentCertificate.make()
    try certificate.certificatePEM.write(toFile: folder + "/chain.pem", atomically: true, encoding: .utf8)
    try certificate.privateKeyPEM.write(toFile: folder + "/key.pem", atomically: true, encoding: .utf8)
    let runs = [try run("without attackers", in: folder), try run("with attackers", attackers: attackers, in: folder)]
    if json {
      let encoder = JSONEncoder()
      encoder.keyEncodingStrategy = .convertToSnakeCase
      encoder.outputFormatting = .sortedKeys
      print(String(decoding: try encoder.encode(runs), as: UTF8.self))
    } else {
      print(table(of: runs).text)
    }
  }

  private func run(_ name: String, attackers: Int? = nil, in folder: String) throws -> Run {
    let program = [Programs.own, "transport-peer"]
    let status = folder + "/status.json"
    let server = try ChildProcess.start(
      program + ["crowd-server", folder + "/chain.pem", folder + "/key.pem", status])
    defer { server.end() }
    guard let port = Int(server.firstLine()) else { throw ValidationError("The server does not start.") }
    let crowd = try attackers.map { count in
      let crowd = try ChildProcess.start(
        program + [
          "crowd-attackers", String(port), folder + "/chain.pem", String(count), String(addresses), String(ramp),
        ])
      // Once all of them have tried.
      _ = crowd.firstLine()
      return crowd
    }
    defer { crowd?.end() }
    let before = ResourceUsage.processor(of: server.identifier) ?? 0
    let seen = try ChildProcess.measure(
      program + ["crowd-good", String(port), folder + "/chain.pem", String(good), String(seconds)],
      as: GoodCrowd.Seen.self)
    let used = (ResourceUsage.processor(of: server.identifier) ?? 0) - before
    let memory = Double(ProcessMemory(of: server.identifier).peak ?? 0)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return Run(
      name: name, goodRefused: seen.refused, events: seen.events, p50Ms: seen.p50Ms, p99Ms: seen.p99Ms,
      serverMemory: memory, serverProcessor: used / Double(seconds),
      server: try decoder.decode(CrowdServer.Status.self, from: Data(contentsOf: URL(fileURLWithPath: status))))
  }

  private func table(of runs: [Run]) -> ComparisonTable {
    let reasons = Set(runs.flatMap(\.server.refusals.keys)).sorted()
    return ComparisonTable(
      section: "crowd",
      title: "\(good) good clients, \(attackers) attackers from \(addresses) addresses",
      columns: [
        "good refused", "events", "p50 ms", "p99 ms", "server's peak MiB", "processors", "connections", "half open",
        "held MiB, most",
      ] + reasons,
      rows: runs.map { run in
        let values: [Double?] = [
          Double(run.goodRefused), Double(run.events), run.p50Ms, run.p99Ms, run.serverMemory / 0x1p20,
          run.serverProcessor, Double(run.server.connections), Double(run.server.halfOpenRequests),
          Double(run.server.mostHeldBytes) / 0x1p20,
        ]
        return ComparisonTable.Row(
          name: run.name, values: values + reasons.map { Double(run.server.refusals[$0] ?? 0) })
      })
  }
}
