import ArgumentParser
import Foundation

/// Our server beside others, under the same client's load.
struct ServerBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "server",
    abstract: "Runs HTTP/3 servers under the same load in turn and compares what it costs them.",
    discussion: """
      Run it in the checkout: Interop/peers fetches the others; one that is not available is reported and left out. All servers have
      one certificate (ECDSA P-256) and one client, which is our engine. They run one at a time, A B A B, started afresh for
      each section; numbers are medians of the rounds. Processor time is the server's processes' own, the kernel's for them
      included; instructions, by valgrind, are without the kernel's.
      """)

  @Option(help: "Connections of one round, each with a request.")
  var handshakes = 400

  @Option(help: "Requests of one round on connections that stay.")
  var requests = 10_000

  @Option(help: "Uploads of one round, of 256 KiB.")
  var uploads = 400

  @Option(help: "Streams that are open at once.")
  var streams = 1_000

  @Option(help: "Seconds for which events are watched.")
  var seconds = 10

  @Option(help: "Rounds.")
  var rounds = 5

  @Option(help: "Only these servers; may be repeated.")
  var subject: [ServerSubject] = []

  @OptionGroup var comparison: ComparisonOptions<ServerSection>

  func validate() throws {
    guard handshakes > 0, requests > 0, uploads > 0, streams > 0, seconds > 0, rounds > 0 else {
      throw ValidationError("Every number must be at least 1.")
    }
  }

  func run() throws {
    let programs = try Programs()
    defer { programs.removeFiles() }
    let subjects = ServerSubject.allCases.filter {
      (subject.isEmpty || subject.contains($0)) && ServerUnderLoad.isAvailable($0, programs)
    }
    try comparison.run("server", programs) { try run($0, subjects, programs) }
  }

  private func run(
    _ section: ServerSection, _ subjects: [ServerSubject], _ programs: Programs
  ) throws -> [ComparisonTable] {
    let rounds = ServerRounds(subjects: subjects, rounds: rounds, programs: programs)
    switch section {
    case .handshakes:
      return try [("full", LoadPeer.Mode.full), ("resumed", .resumed), ("with early data", .early)].map { name, mode in
        try rounds.table(
          "handshakes, \(name), with a GET of 1 KiB", .file, mode, handshakes, ["--lanes", "4"], few: 40,
          base: .gtlsserver)
      }
    case .requests:
      return try [("one connection, 32", 1, 32), ("64 connections, 1", 64, 1)].flatMap { name, connections, lanes in
        try [("a file", ServerSubject.Target.file), ("memory", .memory)].map { kind, target in
          try rounds.table(
            "GET of 1 KiB from \(kind), \(name) at once", target, .requests, requests,
            ["--connections", String(connections), "--lanes", String(lanes)], few: 400, base: .quicGo)
        }
      }
    case .uploads:
      return [
        try rounds.table(
          "POST of 256 KiB, 8 connections, 1 at once", .upload, .requests, uploads,
          ["--connections", "8", "--lanes", "1", "--bytes", String(256 << 10)], few: nil, base: .quicGo)
      ]
    case .events:
      return try [1_000, 100].map { period in
        try rounds.fanOut(streams: streams, period: period, seconds: seconds)
      } + [rounds.held(streams: streams)]
    }
  }
}

enum ServerSection: String, CaseIterable, ExpressibleByArgument {
  case handshakes
  case requests
  case uploads
  case events
}
